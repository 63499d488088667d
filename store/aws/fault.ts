/** A fault of the store, identified by its name. Faults that are caught have a class of their own. */
export class StoreFault extends Error {
  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}
