import type { Draft } from './draft'
export function draftFromXlsform(_bytes: Uint8Array, _limit: number): Draft {
  return { stages: [], warnings: [] }
}
