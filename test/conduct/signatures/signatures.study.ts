/** A study with signatures. */
import { PASSWORD, world } from '../../harness'
import { study } from '../../study'

/** A study with signatures and two responses of Anna's, and its owner in the web app with a fresh confirmation. */
export async function signatureStudy(trial: Record<string, unknown> = {}, options: Parameters<typeof study>[0] = {}) {
  const w = world()
  const s = await study({
    world: w,
    trial: { responseSigningEnabled: true, ...trial },
    stage: { adHoc: true },
    ...options,
  })
  const first = (await s.enter({ pulse: 60, smoker: ['No'] })).body._id as string
  const second = (await s.enter({ pulse: 61 })).body._id as string
  const confirmed = async (who: { _id: string; email: string }) => {
    const app = await w.signIn(who)
    await app.do('confirmIdentity', { password: PASSWORD })
    return app
  }
  const app = await confirmed(s.owner)
  const url = `/trials/${s.trial}/signatures` as const
  const casebooks = async (by = s.owner) => (await by.do('listCasebooks', s.trial)).casebooks
  const signatures = async (of = s.anna) => (await s.owner.do('readSignatures', s.trial, of)).signatures
  return { ...s, responseUrl: s.url, first, second, app, url, confirmed, casebooks, signatures }
}

export const casebook = (participant: string, participantId: string, responseCount: number, signedCount: number) => ({
  participant,
  participantId,
  responseCount,
  signedCount,
  isComplete: responseCount > 0 && signedCount === responseCount,
})
