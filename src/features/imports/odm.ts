import type { Draft } from './draft'
export function draftFromOdm(_text: string): Draft {
  return { stages: [], warnings: [] }
}
