/** The part of dynalite 4 that is used here; the package carries no types. */
declare module 'dynalite' {
  import type { Server } from 'node:http'

  export default function dynalite(options: {
    /** Folder of the LevelDB files; absent: in memory. */
    path?: string
    createTableMs?: number
    deleteTableMs?: number
    updateTableMs?: number
  }): Server
}
