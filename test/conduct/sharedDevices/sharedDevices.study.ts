/** A study with a site, a shared tablet there, and participants with PINs. */
import type { Id } from '#kernel/id'
import { present } from '../../present'
import { sealText } from '../../seal'
import { study } from '../../study'

export const PIN = '2846'

export const tokenOf = (url: string): string => present(url.split('/').at(-1))

/** Anna belongs to the site, Bert does not; both have a PIN. */
export async function tabletStudy(options: Parameters<typeof study>[0] = {}) {
  const s = await study(options)
  const { owner, nobody, trial, anna, bert, person } = s
  const { _id: site } = await owner.do('createSite', trial, { name: 'North', id: 'N1' })
  await owner.do('addSiteMember', site, anna)
  const device = await owner.do('createSharedDevice', trial, site, { name: 'Ward 7' })
  const opened = await nobody.do('openSharedDevice', tokenOf(device.url))
  for (const each of [anna, bert]) await owner.do('setParticipantPin', trial, each, { pin: PIN })
  const sessions = `/shared-devices/${opened.secret}/sessions` as const
  const at = `/trials/${trial}/shared-devices/${device._id}` as const
  return {
    ...s,
    site,
    device,
    opened,
    at,
    sessions,
    signInAs: async (participantId = 'P-1', pin = PIN) => {
      const session = await nobody.do('signInOnSharedDevice', opened.secret, { participantId, pin })
      return { ...session, me: person({ authorization: `Bearer ${session.token}` }) }
    },
    trySignIn: (participantId: string, pin: string) => nobody.call('POST', sessions, { participantId, pin }),
    seal: (content: unknown, about: Id = device._id) => sealText(opened.publicKey, about, content),
    carry: (envelope: string, of: Id = device._id) =>
      nobody.call('POST', '/shared-devices/envelopes', { device: of, envelope }),
    log: (type: string) =>
      s.db.$client.query('SELECT * FROM auditEntries WHERE type = ? ORDER BY number').all(type) as Record<
        string,
        string | null
      >[],
  }
}
