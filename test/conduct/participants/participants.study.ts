/** A participant with data of every kind. */
import { auditEntries } from '#db/tables/index'
import { world } from '../../harness'

export async function study() {
  const all = world()
  const trial = all.trial()
  const url = `/trials/${trial}/participants` as const
  const site = await all.owner.do('createSite', trial, { name: 'Berlin', id: 'BER' })
  const anna = await all.owner.do('registerParticipants', trial, { participantId: 'A-1', password: 'old password' })
  const entries = (type?: string) =>
    all.db
      .select()
      .from(auditEntries)
      .all()
      .filter((entry) => type === undefined || entry.type === type)
  return { ...all, otherTrial: all.trial, trial, url, site, anna, at: `${url}/${anna._id}` as const, entries }
}
