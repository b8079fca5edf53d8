/** Sign-in of participants for tests. */
import { expect } from 'bun:test'
import type { trials } from '#db/tables/index'
import { world } from '../../harness'

/** The refusal of every sign-in that failed. */
export const FAILED = {
  message: 'The sign-in failed. Check what you entered, or ask the study team for a sign-in link.',
  details: { code: 'participantSignInFailed' },
}

export async function study(change: Partial<typeof trials.$inferInsert> = {}) {
  const all = world()
  const trial = all.trial({ code: 'heart', name: 'Heart', ...change })
  const url = `/trials/${trial}/participants` as const
  const anna = await all.owner.do('registerParticipants', trial, { participantId: 'A-1', password: 'annas words' })
  const signIn = (body: Record<string, unknown>, address?: string) =>
    all
      .person({}, address)
      .call('POST', '/participants/sessions', { trialCode: 'heart', participantId: 'A-1', ...body })
  const as = (token: string) => all.person({ Authorization: `Bearer ${token}` })
  const enter = async (body: Record<string, unknown> = { password: 'annas words' }) => {
    const answer = await signIn(body)
    expect(answer.status).toBe(200)
    return as(answer.body.token)
  }
  return { ...all, trial, url, anna, at: `${url}/${anna._id}` as const, signIn, enter, as }
}
