/** Reads a QR code as a phone does (ISO/IEC 18004), for tests: versions 1 to 5 with the lowest level of correction, bytes only. */

/** The bytes of data of each version with the level L, whose codes have one block. */
const DATA = [19, 34, 55, 80, 108]

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Whether a module belongs to the patterns by which a camera finds the code. */
function isPattern(x: number, y: number, size: number): boolean {
  const inCorner = (x < 9 && y < 9) || (x < 9 && y >= size - 8) || (y < 9 && x >= size - 8)
  const center = size - 7
  const isAlignment = size > 21 && Math.abs(x - center) <= 2 && Math.abs(y - center) <= 2
  return inCorner || isAlignment || x === 6 || y === 6
}

/** The modules of a code, upwards and downwards in columns of two from the right. */
function* positions(size: number): Generator<[x: number, y: number]> {
  let isUp = true
  for (let right = size - 1; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = isUp ? size - 1 - step : step
        if (!isPattern(x, y, size)) yield [x, y]
      }
  }
}

/** @param path of the dark modules, as `qrCode` writes it; @param side of the square, with its margin of four modules */
export function readQrCode(path: string, side: number): string {
  const size = side - 8
  const dark = new Set(
    [...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${Number(x) - 4} ${Number(y) - 4}`),
  )
  const at = (x: number, y: number) => dark.has(`${x} ${y}`)
  const bitsOf = (modules: [number, number][]) => modules.reduce((sum, [x, y]) => sum * 2 + Number(at(x, y)), 0)
  // The level of correction and the mask, themselves masked.
  const format = bitsOf([0, 1, 2, 3, 4].map((x) => [x, 8])) ^ 0b10101
  if (format >> 3 !== 0b01) throw new Error(`The level of correction ${format >> 3} is not read here.`)
  const mask = masks[format & 7]!
  const bits = [...positions(size)].map(([x, y]) => Number(at(x, y) !== mask(x, y)))
  const bytes = Array.from({ length: DATA[(size - 21) / 4]! }, (_, each) =>
    bits.slice(each * 8, each * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0),
  )
  const all = bytes.flatMap((byte) => [byte >> 4, byte & 15])
  const [mode, high = 0, low = 0] = all
  if (mode !== 4) throw new Error(`The mode ${mode} is not read here.`)
  const content = all.slice(3, 3 + (high * 16 + low) * 2)
  const text = Uint8Array.from(
    { length: content.length / 2 },
    (_, each) => content[each * 2]! * 16 + content[each * 2 + 1]!,
  )
  return new TextDecoder().decode(text)
}
