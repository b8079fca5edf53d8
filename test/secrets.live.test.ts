/** What signs in, or proves who somebody is, is in no answer to a GET with a key that may only read. */
import { expect, test } from 'bun:test'
import { insertApiKey } from '#accounts/users/apiKeys'
import { parseInstant } from '#kernel/time'
import { operations } from '#start/app'
import { nameOf, pathOf, whoMay } from './every-operation.shared'
import { everything } from './everything'
import { PASSWORD } from './harness'
import { present } from './present'

test('a key that may only read gets nothing that signs in from any GET, and the link of a participant is refused', async () => {
  const every = await everything()
  const { owner, trial, anna } = every
  const base = `/trials/${trial}/participants/${anna}` as const
  const { url: signIn } = await owner.do('createGrant', trial, anna)
  const { token: form } = await owner.do('createStageToken', trial, anna, every.stage)
  const inApp = await every.signInStaff(owner)
  await inApp.do('confirmIdentity', { password: PASSWORD })
  const { token: consent } = await inApp.do('startConsentInPerson', trial, anna, {
    consentDocument: every.params.documentId!,
    witness: 'Will Witness',
  })
  const { key } = insertApiKey(every.db, {
    user: owner._id,
    name: 'reader',
    now: present(parseInstant(every.now())),
    isReadOnly: true,
  })
  const secrets = {
    'sign-in link': present(signIn?.split('grant=')[1]),
    'link to a form': form,
    'session of a consent': consent,
    'link of a tablet': every.params['shared-device-links/token']!,
    'secret of a tablet': every.params['shared-devices/token']!,
    'link into a meeting': every.params['meeting-links/token']!,
    'link of an approver': every.params['file-reviews/token']!,
    'screening link': every.params['screening-links/token']!,
    'key of the account': key,
  }
  const reader = every.person({ Authorization: `Bearer ${key}` })
  const disclosures: string[] = []
  for (const op of operations) {
    if (op.method !== 'GET' || !whoMay(op).includes('staff')) continue
    const { body } = await reader.call('GET', pathOf(op, every))
    for (const [what, secret] of Object.entries(secrets))
      if (JSON.stringify(body).includes(secret)) disclosures.push(`${nameOf(op)}: ${what}`)
  }
  expect(disclosures).toEqual([])
  const refused = await reader.call('GET', `${base}/grants`)
  expect([refused.status, refused.body.details]).toMatchObject([403, { code: 'keyReadOnly' }])
})

test('each reading of a sign-in link is an entry, also if there is none', async () => {
  const { owner, trial, anna } = await everything()
  expect(await owner.do('readGrant', trial, anna)).toEqual({ url: null, expiresAt: null })
  const { url: link, expiresAt } = await owner.do('createGrant', trial, anna)
  expect(await owner.do('readGrant', trial, anna)).toEqual({ url: link, expiresAt })
  await owner.do('readGrant', trial, anna)
  const { entries } = await owner.do('readLogs', trial, { type: 'readGrant' })
  expect(entries.map(({ event, participantId }) => [event.expiresAt, participantId])).toEqual([
    [expiresAt, 'P-1'],
    [expiresAt, 'P-1'],
    [null, 'P-1'],
  ])
})

test('a link that waits to be sent to a participant is in no list of messages, for nobody', async () => {
  const { owner, trial, anna, service } = await everything()
  await owner.do('updateParticipant', trial, anna, { email: 'ann@example.org' })
  const { url } = await owner.do('createGrant', trial, anna, { sendVia: ['email'] })
  const link = present(url?.split('grant=')[1])
  const waits = () =>
    service.services.db.$client.query<{ body: string }, []>('SELECT body FROM outbox ORDER BY _id DESC LIMIT 1').get()
  expect(waits()?.body).toContain(link)
  const [newest] = (await owner.do('readMessages', trial)).messages
  expect(newest).toMatchObject({ channel: 'email', status: 'notSent', body: '' })
  const handed = await owner.do('recordHandOver', trial, newest!._id, { status: 'handedOver' })
  expect(handed).toMatchObject({ body: '' })
})
