import { isUnseen } from '../market/character-table.ts'

/** Why a change of an account or a key is refused, by name; the message is for whoever asked for it. */
export class AccountFault extends Error {
  constructor(name: AccountFaultName, message: string) {
    super(message)
    this.name = name
  }
}

/** All reasons. */
export type AccountFaultName =
  | 'InvalidName'
  | 'NameTaken'
  | 'UnknownAccount'
  | 'AmbiguousName'
  | 'AccountActive'
  | 'UnknownKey'
  | 'KeyEnded'
  | 'TooManyKeys'
  | 'WrongTier'

/** A text in which characters that show nothing, or move the cursor, stand as their code points. */
export const shownText = (text: string): string =>
  Array.from(text, (character) => {
    const codePoint = character.codePointAt(0) ?? 0
    return isUnseen(codePoint) ? `\\u{${codePoint.toString(16)}}` : character
  }).join('')
