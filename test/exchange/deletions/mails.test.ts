/** Who is notified of a deletion, and of a purge that waits for another admin. */
import { expect, test } from 'bun:test'
import { outbox } from '#db/tables/index'
import { everything } from '../../everything'
import { PASSWORD } from '../../harness'
import { firstOf } from '../../present'
import { keepDeleted } from '../../purge'

type World = Awaited<ReturnType<typeof watched>>

/** The world of all operations with a second admin and somebody who is none; `mails` are those since it was asked last. */
async function watched() {
  const w = await everything()
  keepDeleted(w)
  const other = w.staff(w.trial, ['trial.admin'])
  w.staff(w.trial, ['trial.write'])
  const seen = new Set<string>()
  const mails = () => {
    w.service.flush()
    // What was sent to a participant goes with them.
    const fresh = w.db
      .select()
      .from(outbox)
      .all()
      .filter(({ _id }) => !seen.has(_id))
    for (const { _id } of fresh) seen.add(_id)
    return fresh.filter(({ channel }) => channel === 'email')
  }
  mails()
  const admin = await w.signInStaff(w.owner)
  await admin.do('confirmIdentity', { password: PASSWORD })
  return { ...w, admin, admins: [w.owner.email, other.email].sort(), other, mails }
}

const notifiedOf = (mails: ReturnType<World['mails']>) => mails.map(({ recipient }) => recipient).sort()

const KINDS: [kind: string, words: string, path: (w: World) => string][] = [
  ['participant', 'participants (1)', (w) => `/trials/${w.trial}/participants/${w.anna}`],
  ['response', 'responses (1)', (w) => `/trials/${w.trial}/responses/${w.params.responseId}`],
  ['site', 'sites (1)', (w) => `/sites/${w.params.siteId}`],
  ['file', 'files of the trial master file (1)', (w) => `/files/${w.params.fileId}`],
  ['trial', 'the whole study', (w) => `/trials/${w.trial}`],
]

test.each(KINDS)(
  'of a deleted %s all admins get one e-mail, which says what and names nobody',
  async (_, words, path) => {
    const w = await watched()
    const sent = /\/(responses|participants)\//.test(path(w)) ? { reason: 'Entered twice.' } : undefined
    expect((await w.owner.call('DELETE', path(w), sent)).status).toBe(200)
    const mails = w.mails()
    expect(notifiedOf(mails)).toEqual(w.admins)
    for (const { subject, body } of mails) {
      expect(subject).toBe(`Deleted in Breath study: ${words}`)
      expect(body).toContain(w.owner.email)
      expect(body).not.toContain('P-1')
    }
  },
)

test('of many participants in one request there is one e-mail to each', async () => {
  const w = await watched()
  const { participants } = await w.owner.do('registerParticipants', w.trial, {
    participants: ['M-1', 'M-2', 'M-3'].map((participantId) => ({ participantId })),
  })
  w.mails()
  await w.owner.call('DELETE', `/trials/${w.trial}/participants`, {
    participants: participants.map(({ _id }) => _id),
    reason: 'Entered twice.',
  })
  const mails = w.mails()
  expect(notifiedOf(mails)).toEqual(w.admins)
  expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill('Deleted in Breath study: participants (3)'))
})

test('of a purge that waits for another admin the other admins hear, not who asked', async () => {
  const w = await watched()
  await w.owner.call('DELETE', `/sites/${w.params.siteId}`)
  w.mails()
  const { _id } = firstOf((await w.owner.do('listDeletions', w.trial)).deletions)
  await w.admin.do('purgeDeletion', w.trial, _id, { reason: 'Made by mistake.' })
  const mails = w.mails()
  expect(notifiedOf(mails)).toEqual([w.other.email])
  expect(firstOf(mails).subject).toBe('Confirm a purge in Breath study')
})
