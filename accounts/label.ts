import { cleanName, shownText } from '../market/text.ts'
import { AccountFault } from './fault.ts'

/** Most code points of an account's name or a key's label. */
const LABEL_MAX = 64

/**
 * A name or a label as its owner or an operator gives it. Throws InvalidName for an empty or long one, and for one with control, format
 * or invisible characters, which could forge the lines that it is printed in.
 */
export function labelFrom(given: string): string {
  if (given === '' || [...given].length > LABEL_MAX)
    throw new AccountFault('InvalidName', `a name or label has 1 to ${LABEL_MAX} characters`)
  if (cleanName(given) !== given)
    throw new AccountFault('InvalidName', `${shownText(given)} has invisible characters, or spaces at an end`)
  return given
}
