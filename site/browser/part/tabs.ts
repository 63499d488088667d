/** Parts of a page of which one is shown, as the address says. */
import { type Choice, choiceButtons, chosenValue } from '../base/choices.ts'
import { h, setChildren } from '../base/dom.ts'

/** A part: its name, and what makes it when it is shown first. */
export type Tab = { readonly label: string; readonly open: () => readonly HTMLElement[] }

/** The buttons, and the part that is chosen; another is made when it is chosen, and kept. */
export function openTabs(label: string, parts: Readonly<Record<string, Tab>>): readonly HTMLElement[] {
  const values = Object.fromEntries(Object.entries(parts).map(([name, tab]) => [name, tab.label]))
  const choice: Choice = { name: 'tab', label, values }
  const place = h('div', { class: 'tab' })
  const made = new Map<string, readonly HTMLElement[]>()
  const show = (name: string) => {
    const part = made.get(name) ?? parts[name]?.open() ?? []
    made.set(name, part)
    setChildren(place, part)
  }
  const buttons = choiceButtons(choice, show)
  buttons.classList.add('tabs')
  show(chosenValue(choice))
  return [buttons, place]
}
