/** What the store cannot do, or does not read; its name says which. What somebody catches has a class of its own. */
export class StoreFault extends Error {
  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}
