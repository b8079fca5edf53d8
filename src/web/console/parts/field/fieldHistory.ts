/** The history of one field, from the history of its response (pure). */
import type { AnswerOf } from '#web/kit/api/operations'

type History = AnswerOf<'readResponseHistory'>
type Submission = History['history'][number]
type Event = History['events'][number]

export type FieldChange = {
  kind: 'change'
  at: string
  by: string
  byType: 'user' | 'participant'
  value: unknown
  /** Null if there was no answer before. */
  replaced: unknown
  url: string | undefined
  /** When it was answered, if that was before it arrived. */
  enteredAt: string | undefined
  reason: string | undefined
}
export type FieldMark = { kind: 'verified' | 'ended'; at: string; by: string; byType: 'user' | 'participant' }
export type FieldEvent = FieldChange | FieldMark

const changeIn = ({ createdAt, createdBy, createdByType, updateNote, changes }: Submission, dataType: string) =>
  changes.flatMap((each): FieldChange[] =>
    each.dataType === dataType
      ? [
          {
            kind: 'change',
            ...{ at: createdAt, by: createdBy, byType: createdByType, reason: updateNote },
            ...{ value: each.value, replaced: each.replaced, url: each.url, enteredAt: each.enteredAt },
          },
        ]
      : [],
  )

function markIn(
  { type, createdAt: at, createdBy: by, createdByType: byType, dataTypes, marks }: Event,
  dataType: string,
): FieldMark[] {
  if (type === 'verified' && dataTypes?.includes(dataType)) return [{ kind: 'verified', at, by, byType }]
  const isEnded = (type === 'unverified' || type === 'cleared') && marks?.some((each) => each.dataType === dataType)
  return isEnded ? [{ kind: 'ended', at, by, byType }] : []
}

/** What happened to a field, newest first. */
export function fieldHistory({ history, events }: History, dataType: string): FieldEvent[] {
  const all: FieldEvent[] = [
    ...history.flatMap((each) => changeIn(each, dataType)),
    ...events.flatMap((each) => markIn(each, dataType)),
  ]
  return all.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
}
