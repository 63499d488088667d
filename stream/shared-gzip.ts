import { NOTHING, type Sum, withBytes, withPart } from './checksum.ts'
import { GZIP_HEAD, gzipBlock, gzipEnd } from './gzip.ts'
import { recentBlock } from './recent-blocks.ts'

/** Blocks that are deflated once and sent to many readers: any of them may begin before any block. */
export class SharedGzip {
  #sum = NOTHING

  /** Sum of all bytes so far. */
  get sum(): Sum {
    return this.#sum
  }

  /** The next bytes, for every body that follows. */
  block(bytes: Buffer): Buffer {
    this.#sum = withBytes(this.#sum, bytes)
    return gzipBlock(bytes)
  }
}

/** One reader's gzip body: blocks of its own, and from some moment on shared ones, which cost it nothing until its next own one. */
export class GzipBody {
  /** Of all up to the last own block. */
  #sum = NOTHING
  #shared: SharedGzip | null = null
  /** Sum of the shared blocks up to the last own one. */
  #from = NOTHING

  /** The body's beginning. */
  begin(bytes: Buffer): Buffer {
    return Buffer.concat([GZIP_HEAD, this.block(bytes)])
  }

  /** A block of its own; its bytes may be kept, and must not change. */
  block(bytes: Buffer): Buffer {
    this.#settle()
    const sum = withBytes(NOTHING, bytes)
    this.#sum = withPart(this.#sum, { from: NOTHING, to: sum })
    return recentBlock(bytes, sum)
  }

  /** From now on every shared block is sent as well. */
  follow(shared: SharedGzip): void {
    this.#settle()
    this.#shared = shared
    this.#from = shared.sum
  }

  /** The last bytes, and the body's end: what was sent sums up to what it says. */
  end(bytes: Buffer): Buffer {
    return Buffer.concat([this.block(bytes), gzipEnd(this.#sum)])
  }

  #settle(): void {
    if (!this.#shared) return
    const to = this.#shared.sum
    this.#sum = withPart(this.#sum, { from: this.#from, to })
    this.#from = to
  }
}
