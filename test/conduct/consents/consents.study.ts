/** A trial with a consent form, and what people do with its link. */
import { buildOnce } from '../../buildOnce'
import { PASSWORD, sharedInFile, type World, world } from '../../harness'

export const document =
  '<h1>The study</h1><p>What it asks of <b>you</b>.</p><ul><li>Two visits</li><li>One call</li></ul>'

/** A PNG of one pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const typed = (fullName: string) => ({ fullName, signature: { method: 'typed', name: fullName } }) as const

/** A world whose trial uses electronic consent, with one form. */
export async function consentWorld(form: Record<string, unknown> = {}) {
  const { w, made } = await buildOnce(`consents ${JSON.stringify(form)}`, async () => {
    const w = world()
    const trial = w.trial()
    await w.owner.do('updateTrial', trial, { eConsentEnabled: true, code: 'sleep' })
    const { _id: documentId } = await w.owner.do('createConsentForm', trial, { document, ...form })
    return { w, made: { trial, documentId } }
  })
  return withLinks(w, made.trial, made.documentId)
}

/** The same, for the cases of a table that do not disturb each other. */
export const sharedConsentWorld = (form: Record<string, unknown> = {}) => sharedInFile(() => consentWorld(form))

/** The owner of a world in the web app, who has just confirmed their identity. */
export async function confirmed({ signIn, owner }: Pick<World, 'signIn' | 'owner'>) {
  const session = await signIn(owner)
  await session.do('confirmIdentity', { password: PASSWORD })
  return session
}

/** Begins a consent in person, as it begins in the web app. */
export async function inPerson(
  w: Pick<World, 'signIn' | 'owner'>,
  trial: string,
  participant: string,
  documentId: string,
) {
  const url = `/trials/${trial}/participants/${participant}/consent-sessions` as const
  return (await confirmed(w)).call('POST', url, { consentDocument: documentId, witness: 'Will Witness' })
}

export function withLinks(w: ReturnType<typeof world>, trial: string, documentId: string) {
  const { nobody, db } = w
  /** The code in the newest message to an address. */
  const codeTo = (address: string): string => {
    const row = db.$client
      .query<{ body: string }, [string]>('SELECT body FROM outbox WHERE recipient = ? ORDER BY _id DESC LIMIT 1')
      .get(address)
    return /[0-9A-Z]{4}-[0-9A-Z]{4}|\d{6}/.exec(row?.body ?? '')?.[0] ?? ''
  }
  const start = async (formKey = 'main') => (await nobody.do('startConsentSession', 'sleep', formKey, {})).token
  /** Verifies an address in a session. */
  async function verify(token: string, address: string, method = address.includes('@') ? 'email' : 'phone') {
    await nobody.do('sendConsentCode', token, { method, address })
    return await nobody.do('checkConsentCode', token, { method, code: codeTo(address) })
  }
  const give = (token: string, body: object) => nobody.call('POST', `/consent-sessions/${token}/consent`, body)
  /** A consent with a verified e-mail address. */
  async function consented(fullName: string, address: string) {
    const token = await start()
    await verify(token, address)
    const { status, body } = await give(token, typed(fullName))
    if (status !== 200) throw new Error(JSON.stringify(body))
    return { token, ...body } as { token: string; _id: string; url: string; fileHash: string; signInCode: string }
  }
  return { ...w, trialId: trial, documentId, codeTo, start, verify, give, consented }
}
