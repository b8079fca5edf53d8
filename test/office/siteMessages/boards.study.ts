/** A study with two sites, and people who read and write on their boards. */
import { putBytes, uploadRequestUrl } from '../../conduct/uploads/uploads.study'
import { study } from '../../study'

type Mail = {
  subject: string
  body: string
  recipient: string
  user: string
  status: string
  participant: string | null
}

export async function boards(options: Parameters<typeof study>[0] = {}) {
  const s = await study(options)
  const { owner, trial, db } = s
  const site = async (name: string, id: string) => (await owner.do('createSite', trial, { name, id }))._id
  const [north, south] = [await site('North', 'N1'), await site('South', 'S1')]
  return {
    ...s,
    site,
    north,
    south,
    board: `/sites/${north}/messages` as const,
    other: `/sites/${south}/messages` as const,
    unreadPath: `/trials/${trial}/messages/unread` as const,
    broadcast: `/trials/${trial}/messages/broadcast` as const,
    /** Somebody of one site. */
    nurse: s.staff(trial, ['site.writeSiteMessages'], north),
    /** Somebody of the other. */
    doctor: s.staff(trial, ['site.writeSiteMessages'], south),
    /** Somebody who reads all boards. */
    monitor: s.staff(trial, ['trial.readSiteMessages']),
    /** Uploads a file; returns its stored name. */
    async upload(forType: 'site' | 'trial' | 'participant', forId: string, by: { get: typeof owner.get } = owner) {
      const { signedRequestURL, fileName } = await by.get(uploadRequestUrl(forType, forId))
      const { status } = await putBytes(s, signedRequestURL)
      if (status !== 200) throw new Error(`The upload answered ${status}.`)
      return fileName
    },
    async tick(by = 0) {
      s.clock(by)
      await s.service.services.tick()
    },
    /** The e-mails in the order in which they were made. */
    mails: () => db.$client.query('SELECT * FROM outbox WHERE user IS NOT NULL ORDER BY _id').all() as Mail[],
    entries: (type: string) =>
      (
        db.$client.query('SELECT event, user FROM auditEntries WHERE type = $type ORDER BY _id').all({ type }) as {
          event: string
          user: string
        }[]
      ).map(({ event, user }) => [user, JSON.parse(event)]),
  }
}

export type Boards = Awaited<ReturnType<typeof boards>>

/** How many messages a person has not read, by site. */
export const unreadOf = async ({ unreadPath }: Boards, person: Boards['nurse']) =>
  Object.fromEntries(
    (await person.get<'listUnreadSiteMessages'>(unreadPath)).sites.map(({ site, unread }) => [site, unread]),
  )
