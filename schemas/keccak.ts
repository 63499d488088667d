/** Keccak-256 (the padding of Ethereum, not of SHA-3) of short texts. */

const ROUNDS = 24
const RATE_BYTES = 136
const LANES = 25

/** Rotation of the lane at x + 5y (The Keccak reference, table 2). */
const rotations = [
  0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
] as const

/** Round constants as pairs of 32 bits, low half first, made by the reference's own shift register. */
const constants = roundConstants()

function roundConstants(): Int32Array {
  const halves = new Int32Array(2 * ROUNDS)
  let register = 1
  for (let round = 0; round < ROUNDS; round++) {
    for (let power = 0; power <= 6; power++) {
      const bit = 2 ** power - 1
      const half = 2 * round + (bit >> 5)
      if (register & 1) halves[half] = at(halves, half) ^ (1 << (bit & 31))
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1
    }
  }
  return halves
}

/** The digest of a text whose UTF-8 bytes are fewer than 136, in lower-case hex without 0x. Throws TooLongError. */
export function keccak256(text: string): string {
  const block = Buffer.alloc(RATE_BYTES)
  const length = block.write(text)
  if (Buffer.byteLength(text) >= RATE_BYTES) throw new TooLongError()
  block[length] = 0x01
  block[RATE_BYTES - 1] = at(block, RATE_BYTES - 1) | 0x80
  const state = new Int32Array(2 * LANES)
  for (let half = 0; half < RATE_BYTES / 4; half++) state[half] = block.readInt32LE(4 * half)
  for (let round = 0; round < ROUNDS; round++) permute(state, round)
  const digest = Buffer.alloc(32)
  for (let half = 0; half < 8; half++) digest.writeInt32LE(at(state, half), 4 * half)
  return digest.toString('hex')
}

/** Only one block of text is ever hashed here. */
class TooLongError extends Error {
  override readonly name = 'TooLongError'
}

/** One round of keccak-f[1600]: θ, ρ with π, χ, ι. A lane is two halves, the low one first. */
function permute(state: Int32Array, round: number): void {
  mixColumns(state)
  const turned = new Int32Array(2 * LANES)
  for (let lane = 0; lane < LANES; lane++) {
    const [x, y] = [lane % 5, Math.floor(lane / 5)]
    const [low, high] = turnedLeft(at(state, 2 * lane), at(state, 2 * lane + 1), rotations[lane] ?? 0)
    const to = 2 * (y + 5 * ((2 * x + 3 * y) % 5))
    turned[to] = low
    turned[to + 1] = high
  }
  for (let half = 0; half < 2 * LANES; half++) {
    const row = half - (half % 10)
    const [next, second] = [row + ((half + 2) % 10), row + ((half + 4) % 10)]
    state[half] = at(turned, half) ^ (~at(turned, next) & at(turned, second))
  }
  for (const half of [0, 1]) state[half] = at(state, half) ^ at(constants, 2 * round + half)
}

/** θ: each lane is mixed with the parities of two columns beside it. */
function mixColumns(state: Int32Array): void {
  const parity = new Int32Array(10)
  for (let half = 0; half < 2 * LANES; half++) parity[half % 10] = at(parity, half % 10) ^ at(state, half)
  for (let x = 0; x < 5; x++) {
    const right = 2 * ((x + 1) % 5)
    const left = 2 * ((x + 4) % 5)
    const turned = turnedLeft(at(parity, right), at(parity, right + 1), 1)
    for (const half of [0, 1] as const) {
      const mixed = at(parity, left + half) ^ turned[half]
      for (let lane = x; lane < LANES; lane += 5) {
        const place = 2 * lane + half
        state[place] = at(state, place) ^ mixed
      }
    }
  }
}

/** A lane turned left by so many bits. */
function turnedLeft(low: number, high: number, bits: number): readonly [number, number] {
  if (bits >= 32) return turnedLeft(high, low, bits - 32)
  if (bits === 0) return [low, high]
  return [(low << bits) | (high >>> (32 - bits)), (high << bits) | (low >>> (32 - bits))]
}

function at(values: ArrayLike<number>, place: number): number {
  return values[place] ?? 0
}
