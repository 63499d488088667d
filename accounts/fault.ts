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
