/** Zip archives whose parts are stored as they are: the format of PKWARE's APPNOTE, without compression and ZIP64. */

/** The most bytes of an archive: beyond it, the format needs ZIP64. */
export const LARGEST = 0xf000_0000

/** @param path within the archive, with `/`; in no system a path that leads elsewhere */
export type ZipPart = { path: string; content: Blob }

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

/** CRC-32 (ISO 3309) of a blob, read in pieces. */
async function checksum(content: Blob): Promise<number> {
  let sum = 0xffffffff
  const reader = content.stream().getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return ~sum >>> 0
    for (const byte of value) sum = (TABLE[(sum ^ byte) & 255] ?? 0) ^ (sum >>> 8)
  }
}

/** Fields of two and four bytes, the lowest byte first. */
function fields(...each: [size: 2 | 4, value: number][]): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(each.reduce((sum, [size]) => sum + size, 0)))
  let at = 0
  for (const [size, value] of each) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return view.buffer
}

/** The date and time as MS-DOS has them, in local time, to two seconds. */
const dosTime = (at: Date): [date: number, time: number] => [
  ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate(),
  (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1),
]

/** Names are UTF-8. */
const UTF8 = 0x800

/** An archive of these parts, in their order. Their bytes are not copied. @param at the time that the parts have */
export async function storedZip(parts: readonly ZipPart[], at: Date): Promise<Blob> {
  const [date, time] = dosTime(at)
  const pieces: BlobPart[] = []
  const directory: BlobPart[] = []
  let [offset, length] = [0, 0]
  for (const { path, content } of parts) {
    const name = new TextEncoder().encode(path)
    const sum = await checksum(content)
    const common = fields(
      ...([
        [2, 20],
        [2, UTF8],
        [2, 0],
        [2, time],
        [2, date],
      ] as [2, number][]),
      ...([
        [4, sum],
        [4, content.size],
        [4, content.size],
        [2, name.length],
        [2, 0],
      ] as [2 | 4, number][]),
    )
    pieces.push(fields([4, 0x04034b50]), common, name, content)
    directory.push(fields([4, 0x02014b50], [2, 20]), common)
    directory.push(fields([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), name)
    offset += 30 + name.length + content.size
    length += 46 + name.length
  }
  const count = parts.length
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, length], [4, offset], [2, 0])
  return new Blob([...pieces, ...directory, end], { type: 'application/zip' })
}
