/**
 * What `do` of a person in tests takes and returns, as `npm run types` checks: each case of `wrong` stands below
 * `@ts-expect-error`, which is an error itself once its line compiles.
 */
import type { Person } from './person'

declare const nurse: Person
declare const trial: string
declare const word: string
declare const open: Record<string, unknown>

/** Never called: only its types are checked. */
export async function right() {
  const { groups } = await nurse.do('listGroups', trial)
  const name: string | undefined = groups[0]?.name
  const when: string | undefined = groups[0]?.createdAt
  const { _id } = await nurse.do('createGroup', trial, { name: 'Arm A' })
  await nurse.do('createGroup', trial, open)
  const named = await nurse.get<'listGroups'>(word)
  return [name, when, _id, await nurse.do('deleteGroup', _id), named.groups]
}

/** A value in the query or a field of the body chooses the form of the answer; where the type does not say which, it may have any. */
export async function forms() {
  const one = await nurse.do('registerParticipants', trial, { participantId: 'P-1' })
  const { participants } = await nurse.do('registerParticipants', trial, { participants: [one] })
  const either = await nurse.do('registerParticipants', trial, open)
  const { jobId } = await nurse.do('createStage', trial, { prompt: 'Visits' }, { creationType: 'generateFromAI' })
  const { entries } = await nurse.do('readLogs', trial, { page: 2 })
  const { csv } = await nurse.do('readLogs', trial, { type: 'a', format: 'csv' })
  const some = await nurse.do('readLogs', trial, { format: word })
  return [one.id, participants, 'participants' in either, jobId, entries, csv, 'csv' in some ? some.csv : some.entries]
}

export async function wrong() {
  // @ts-expect-error a misspelt operation
  await nurse.do('listGruops', trial)
  // @ts-expect-error no parameter
  await nurse.do('listGroups')
  // @ts-expect-error a parameter too many
  await nurse.do('deleteGroup', trial, {}, {}, {})
  // @ts-expect-error an unknown parameter of the query
  await nurse.do('readLogs', trial, { pgae: 2 })
  // @ts-expect-error a wrong field of the answer
  ;(await nurse.do('listGroups', trial)).gruops
  // @ts-expect-error one participant is not a list
  ;(await nurse.do('registerParticipants', trial, { participantId: 'P-1' })).participants
  // @ts-expect-error a body that may be either is answered with either
  ;(await nurse.do('registerParticipants', trial, open)).participants
  // @ts-expect-error a field of another form of the answer
  ;(await nurse.do('readLogs', trial, { format: 'csv' })).entries
  // @ts-expect-error a field of one form, where the answer may have another
  ;(await nurse.do('readLogs', trial, { format: word })).entries
  // @ts-expect-error a moment is text on the wire
  ;(await nurse.do('readTrial', trial)).createdAt.toFixed()
}
