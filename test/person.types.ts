/**
 * What the methods of a person in tests return, as `npm run types` checks: each case of `wrong` stands below
 * `@ts-expect-error`, which is an error itself once its line compiles.
 */
import type { Person } from './person'

declare const nurse: Person
declare const trial: string
declare const url: string
declare const noun: 'groups' | 'sites'
declare const open: Record<string, unknown>

/** Never called: only its types are checked. */
export async function right() {
  const { groups } = await nurse.get(`/trials/${trial}/groups`)
  const { _id } = await nurse.post(`/trials/${trial}/${noun}`, open)
  const one = await nurse.post(`/trials/${trial}/participants`, { participantId: 'P-1' })
  const { participants } = await nurse.post(`/trials/${trial}/participants`, { participants: [one] })
  const either = await nurse.post(`/trials/${trial}/participants`, open)
  const { jobId } = await nurse.post(`/trials/${trial}/stages?creationType=generateFromAI`, { prompt: 'Visits' })
  const anything: unknown = await nurse.get(url)
  return [groups, _id, one.id, participants, 'participants' in either, jobId, anything]
}

export async function wrong() {
  // @ts-expect-error a misspelt URL
  await nurse.get(`/trials/${trial}/gruops`)
  // @ts-expect-error a URL that may be wrong
  await nurse.get(`/trials/${trial}/${noun as 'groups' | 'gruops'}`)
  // @ts-expect-error a method that the URL does not have
  await nurse.patch(`/trials/${trial}/groups`)
  // @ts-expect-error a wrong field of the answer
  ;(await nurse.get(`/trials/${trial}/groups`)).gruops
  // @ts-expect-error the answer of any URL has no known field
  ;(await nurse.get(url)).groups
  // @ts-expect-error one participant is not a list
  ;(await nurse.post(`/trials/${trial}/participants`, { participantId: 'P-1' })).participants
  // @ts-expect-error a body that may be either is answered with either
  ;(await nurse.post(`/trials/${trial}/participants`, open)).participants
}
