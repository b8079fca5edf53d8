import type { Id } from '#kernel/id'
import type { RunPosition } from './runStore'

/** A place between two answers: the stage, its zone, and the place in that. */
export type Cursor = [stage: Id, zone: string, place: RunPosition]

/** Writes a place as text. */
export const cursorText = ([stage, zone, { n, origin, participant, first }]: Cursor): string =>
  Buffer.from(JSON.stringify([stage, zone, n, origin, participant, first])).toString('base64url')

/** Reads a text that `cursorText` wrote; undefined if it is another. */
export function readCursor(text: string | undefined): Cursor | undefined {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text ?? '', 'base64url').toString())
  } catch {
    return undefined
  }
  if (!Array.isArray(parts)) return undefined
  const [stage, zone, n, origin, participant, first]: unknown[] = parts
  const areTexts = typeof stage === 'string' && typeof zone === 'string' && typeof participant === 'string'
  if (!areTexts || !Number.isSafeInteger(n) || !Number.isSafeInteger(origin) || !Number.isSafeInteger(first))
    return undefined
  return [stage, zone, { n: Number(n), origin: Number(origin), participant, first: Number(first) }]
}
