/** The cases of a system file of SPSS, with its compression by bytecodes: a code for each 8 bytes, then those that need themselves. */
import type { Output } from '#writers/file'

/** The number that a code means is the code less this. */
export const BIAS = 100
const END = 252
const RAW = 253
const SPACES = 254
const MISSING = 255

const PIECE = 1 << 17
/** The codes of a group and the 8 bytes of each. */
const GROUP = 72
const SPACE = 0x20
/** Of a text longer than this, each 255 bytes are a variable of their own, which counts as 252 bytes of its width. */
const SEGMENT = 255
const SEGMENT_COUNTED = 252

/** The widths of the variables that hold a text of a width, as the very long string record tells readers to join them. */
export function segmentsOf(width: number): number[] {
  if (width <= SEGMENT) return [width]
  const count = Math.ceil(width / SEGMENT_COUNTED)
  return [...new Array(count - 1).fill(SEGMENT), width - (count - 1) * SEGMENT_COUNTED]
}

export type Cases = ReturnType<typeof casesTo>

/** Writes values behind each other. */
export function casesTo(output: Pick<Output, 'write'>) {
  const buffer = Buffer.allocUnsafe(PIECE + GROUP)
  /** Where the codes of the group are, how many there are, and the end of its bytes. */
  let [group, codes, at] = [0, 0, 8]

  const code = (value: number) => {
    if (codes === 8) begin()
    buffer[group + codes++] = value
  }
  const begin = () => {
    if (at > PIECE) {
      output.write(buffer.subarray(0, at))
      at = 0
    }
    group = at
    at += 8
    codes = 0
  }
  /** Eight bytes of a text, or fewer at its end. */
  const block = (text: Uint8Array, from: number, to: number) => {
    let spaces = true
    // A group that is full is ended first, because its bytes follow it.
    if (codes === 8) begin()
    for (let index = 0; index < 8; index++) {
      const byte = from + index < to ? text[from + index]! : SPACE
      if (byte !== SPACE) spaces = false
      buffer[at + index] = byte
    }
    code(spaces ? SPACES : RAW)
    if (!spaces) at += 8
  }
  return {
    /** @param value undefined is system-missing */
    number(value: number | undefined): void {
      const isSmall = value !== undefined && Number.isInteger(value) && value > -BIAS && value < END - BIAS
      code(value === undefined ? MISSING : isSmall ? value + BIAS : RAW)
      if (value === undefined || isSmall) return
      buffer.writeDoubleLE(value, at)
      at += 8
    },
    /** Writes `text` from one place to another, padded with spaces to the segments of its variable. */
    text(text: Uint8Array, from: number, to: number, segments: readonly number[]): void {
      let start = from
      for (const width of segments) {
        const end = Math.min(start + width, to)
        for (let done = 0; done < width; done += 8) {
          if (start + done < end) block(text, start + done, end)
          else code(SPACES)
        }
        start = end
      }
    },
    end(): void {
      code(END)
      buffer.fill(0, group + codes, group + 8)
      output.write(buffer.subarray(0, at))
    },
  }
}
