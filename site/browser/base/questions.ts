/** Questions in a dialog. */
import { type Child, h } from './dom.ts'

type Question = {
  readonly title: string
  readonly text: string
  /** The button that says yes. */
  readonly yes: string
  /** A field, if something is asked for; with `most`, it takes a whole number from 0 on and may not be empty. */
  readonly field?: { readonly label: string; readonly value: string; readonly most?: number }
}

/** Asks, and resolves with the field's text, empty without one; null: the visitor left it. */
export function askVisitor({ title, text, yes, field }: Question): Promise<string | null> {
  const input =
    field &&
    h('input', {
      id: 'answer',
      ...(field.most === undefined
        ? { type: 'text' }
        : { type: 'number', min: 0, max: field.most, required: true }),
      value: field.value,
      maxlength: 64,
      autocomplete: 'off',
      spellcheck: 'false',
    })
  const fields: Child = input && [h('label', { for: 'answer' }, field.label), input]
  return new Promise((resolve) => {
    let answer: string | null = null
    const submit = (event: Event) => {
      event.preventDefault()
      answer = input?.value ?? ''
      dialog.close()
    }
    const dialog = h(
      'dialog',
      {
        'aria-labelledby': 'question',
        on: {
          close: () => {
            dialog.remove()
            resolve(answer)
          },
        },
      },
      h('h2', { id: 'question' }, title),
      h('p', {}, text),
      h(
        'form',
        { method: 'dialog', on: { submit } },
        fields,
        h(
          'div',
          { class: 'row' },
          h('button', { type: 'submit', class: 'strong' }, yes),
          h('button', { type: 'button', on: { click: () => dialog.close() } }, 'Cancel'),
        ),
      ),
    )
    document.body.append(dialog)
    dialog.showModal()
  })
}
