/** Sections of docs/runbook.md. */

/** The section about copies in a second region. */
export const copiesRunbook = 'A copy is missing'

/** The section about the stream. */
export const streamRunbook = 'The stream fails'

/** The section of the budget, the only alarm without a metric. */
export const budgetRunbook = 'A cost spike'

/** The anchor of a Markdown heading. */
export const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(' ', '-')
