/** What the app keeps on the device (docs/offline.md). Moments are ISO texts by the clock of the device. */
import type { DraftPart, EntryProblem, KeptAnswer } from '#web/form/answers/model'

/** The participant who is signed in. There is one at a time; what others left in the queue stays theirs. */
export type Person = {
  /** `<trial>/<participant>`: whatever is kept on the device belongs to one of these. */
  who: string
  /** The trial's `_id`. */
  trial: string
  /** The participant's ID as people write it. */
  participantId: string
  /** Of the session. */
  token: string
}

/** Answers that are not sent yet. There is one for each occurrence of a stage and person. */
export type Draft = DraftPart & {
  who: string
  /** `<stage>` or `<stage>::<n>`, as in the address of the stage detail. */
  occurrence: string
  keptAt: string
}

/** Answers on their way to the server. An entry ends only when the server has stored or held it. */
export type Entry = {
  /** A UUID, which the server keeps for ever: the same entry is never stored twice. */
  id: string
  who: string
  occurrence: string
  /** The name of the form, to be shown in the list of what waits. */
  title: string
  version: string
  opened: string
  answers: Readonly<Record<string, KeptAnswer>>
  /** `refused` by the server with `problem`; `held` where staff have it now, and decide; `declined` when they did not enter it. */
  state: 'waiting' | 'refused' | 'held' | 'declined'
  problem?: EntryProblem
  tries: number
  madeAt: string
}
