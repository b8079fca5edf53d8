/** A form with a few fields, created over HTTP, that staff and a participant answer. */
import type { Id } from '#kernel/id'
import { world } from './harness'
import { firstOf, present } from './present'

export type Field = Record<string, unknown> & { code: string; format: string }

/** A trial with one stage of these fields, and two participants; the second is signed in. */
export async function form(fields: Field[], stage: Record<string, unknown> = {}, zone?: string) {
  const w = world()
  const { owner } = w
  const trial: Id = (await owner.do('createTrial', w.team, { name: 'Values' }))._id
  const ids: Record<string, Id> = {}
  for (const field of fields)
    ids[field.code] = (await owner.do('createDataType', trial, { name: 'In the codebook', ...field }))._id
  const components = fields.map(({ code }) => ({ id: code, dataType: ids[code], title: `Your ${code}` }))
  const at: Id = (await owner.do('createStage', trial, { name: 'Visit', components, ...stage }))._id
  const password = 'correct horse'
  const { participants } = await owner.do('registerParticipants', trial, {
    participants: ['P-1', 'P-2'].map((participantId) => ({ participantId, password })),
  })
  for (const { _id } of participants) if (zone) await owner.do('updateParticipant', trial, _id, { timezone: zone })
  const { code: trialCode } = await owner.do('readTrial', trial)
  const { token } = await w.nobody.do('signInParticipant', { trialCode, participantId: 'P-2', password })
  const me = w.person({ Authorization: `Bearer ${token}` })
  const sent = (answers: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(answers).map(([code, value]) => [ids[code]!, { value }]))
  const staffUrl = `/trials/${trial}/participants/${firstOf(participants)._id}/responses/${at}` as const
  const mine: Id = present(participants[1])._id
  const ownUrl = `/participants/trials/${trial}/stages/${at}/responses` as const
  return {
    ...w,
    me,
    mine,
    trial,
    ids,
    stage: at,
    components,
    staffUrl,
    ownUrl,
    sent,
    /** Submits answers in both ways: staff for the first participant, and the second participant themselves. */
    both: async (answers: Record<string, unknown>) => [
      await owner.call('PUT', staffUrl, { response: sent(answers) }),
      await me.call('POST', ownUrl, sent(answers)),
    ],
  }
}
