import { DAY_SECONDS } from '../../market/calendar.ts'
import type { Address } from '../../market/segment.ts'
import { type Item, newClient, openTable } from '../aws/table.ts'
import { accessKeys, sha256Of } from '../aws/tables.ts'
import { increaseCount } from './counter.ts'

/** What a ticket is: a question to a wallet, a code of the operator, a session. */
export type TicketKind = 'nonce' | 'code' | 'session'

/** What is used once, or until it is ended. Times are Unix seconds. */
export type Ticket = {
  /** Empty for a nonce, whose wallet may have no account yet. */
  readonly account: string
  /** Who may use it: a wallet's address, or `code`. */
  readonly actor: string
  readonly createdAt: number
  readonly endsAt: number
}

/** Nonces, codes and sessions, stored by the sha256 of their texts; wallets; counts by UTC day. In the Access table. */
export type SignInStore = {
  putTicket(kind: TicketKind, text: string, ticket: Ticket): Promise<void>
  ticket(kind: TicketKind, text: string): Promise<Ticket | undefined>
  /** Ends a ticket for good and returns it, to one caller only; undefined: it has been ended, or never was. */
  useTicket(kind: TicketKind, text: string): Promise<Ticket | undefined>
  /** The account that a wallet has, and the version of this record; undefined: none. */
  wallet(address: Address): Promise<WalletAccount | undefined>
  /** False: somebody else has changed it meanwhile. */
  putWallet(address: Address, owned: WalletAccount): Promise<boolean>
  /** Counts one of a UTC day (from 1970) and returns how many there are; null, and nothing is counted: `limit` is reached. */
  takeOne(what: string, day: number, limit: number): Promise<number | null>
}

/** The account of a wallet. `version` counts the changes, from 1. */
export type WalletAccount = { readonly account: string; readonly version: number }

/** Opens the Access table of this name. */
export function openSignIns(name: string, client = newClient()): SignInStore {
  const table = openTable(name, { client })
  const keyOf = (kind: TicketKind, text: string) => accessKeys.ticket(kind, sha256Of(text))
  const ticket: SignInStore['ticket'] = async (kind, text) => {
    const item = await table.read(keyOf(kind, text))
    return item && ticketFrom(item)
  }
  return {
    async putTicket(kind, text, { endsAt, ...rest }) {
      await table.put({ ...keyOf(kind, text), ...rest, endsAt, ttl: endsAt, pos: 1 }, 'absent')
    },
    ticket,
    async useTicket(kind, text) {
      const found = await ticket(kind, text)
      if (!found) return undefined
      const ended = { ...keyOf(kind, text), tomb: true, ttl: found.endsAt, pos: 2 }
      return (await table.put(ended, { olderThan: 2 })) ? found : undefined
    },
    async wallet(address) {
      const item = await table.read(accessKeys.wallet(address))
      return item && { account: String(item['account']), version: Number(item['pos']) }
    },
    putWallet: (address, { account, version }) =>
      table.put({ ...accessKeys.wallet(address), account, pos: version }, { olderThan: version }),
    async takeOne(what, day, limit) {
      const expiresAt = (day + 2) * DAY_SECONDS
      const key = accessKeys.count(what, day)
      return limit > 0 ? increaseCount(client, { table: name, key, by: 1, limit, expiresAt }) : null
    },
  }
}

const ticketFrom = (item: Item): Ticket => ({
  account: String(item['account']),
  actor: String(item['actor']),
  createdAt: Number(item['createdAt']),
  endsAt: Number(item['endsAt']),
})
