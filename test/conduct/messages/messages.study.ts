/** A study whose first participant has an e-mail address and a telephone, and writes with a nurse. */
import { present } from '../../present'
import { study } from '../../study'
import { putBytes, uploadRequestUrl } from '../uploads/uploads.study'

type StoredMessage = Record<
  'channel' | 'recipient' | 'subject' | 'body' | 'status' | 'detail' | 'user' | 'participant',
  string | null
>

export async function messageStudy(options: Parameters<typeof study>[0] = {}) {
  const s = await study(options)
  const { owner, trial, anna, db, service } = s
  const self = `/trials/${trial}/participants/${anna}` as const
  await owner.do('updateParticipant', trial, anna, { email: 'anna@example.org', phone: '+44 7700 900123' })
  const nurse = s.staff(trial, ['trial.support'])
  const me = await s.signIn()
  return {
    ...s,
    self,
    thread: `${self}/messages` as const,
    nurse,
    me,
    mails: (where = 'TRUE') =>
      db.$client.query(`SELECT * FROM outbox WHERE ${where} ORDER BY _id`).all() as StoredMessage[],
    toTeam: () =>
      (
        db.$client.query(`SELECT recipient FROM outbox WHERE user IS NOT NULL ORDER BY _id`).all() as StoredMessage[]
      ).map(({ recipient }) => recipient),
    async tick(by = 0) {
      s.clock(by)
      await service.services.tick()
    },
    /** Uploads a file for a participant, as staff unless `by` says otherwise. Returns its stored name. */
    async upload(participant = anna, by: { get: typeof owner.get } = owner, forId: string | undefined = participant) {
      const { signedRequestURL, fileName } = await by.get(uploadRequestUrl('participant', forId))
      expect200((await putBytes(s, signedRequestURL)).status)
      return fileName
    },
    /** Asks for an upload that never comes. */
    announce: async () => (await owner.get(uploadRequestUrl('participant', anna))).fileName,
    text: async (url: string) => (await s.fetch(present(url))).text(),
  }
}

function expect200(status: number): void {
  if (status !== 200) throw new Error(`The upload answered ${status}.`)
}
