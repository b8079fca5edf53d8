/** A study with participants at two sites, for the tests of notes, events, meetings and calendars. */
import { buildOnce } from '../../buildOnce'
import { world } from '../../harness'
import { shortCuts, study } from '../../study'

export async function calendarStudy() {
  const { w, made } = await buildOnce('calendar study', async () => {
    const w = world()
    const s = await study({ world: w })
    const { owner, trial, anna, bert } = s
    await owner.do('updateTrial', trial, { timezone: 'Europe/Berlin' })
    const north = (await owner.do('createSite', trial, { name: 'North', id: 'N1' }))._id
    const south = (await owner.do('createSite', trial, { name: 'South', id: 'S1' }))._id
    await owner.do('addSiteMember', north, anna)
    await owner.do('addSiteMember', south, bert)
    await owner.do('updateParticipant', trial, anna, { email: 'anna@example.org' })
    const { ids, stage, components, carl } = s
    return { w, made: { north, south, study: { trial, ids, stage, components, anna, bert, carl } } }
  })
  const s = shortCuts(w, made.study)
  const of = (participant: string) => `/trials/${s.trial}/participants/${participant}` as const
  return {
    ...s,
    north: made.north,
    south: made.south,
    of,
    /** A coordinator who may do everything at one site, and sees nobody else. */
    coordinator: (site = made.north) => s.staff(s.trial, ['site.write'], site),
    /** All messages so far, by recipient. */
    outbox: () =>
      s.db.$client.query('SELECT recipient, subject, body, status FROM outbox ORDER BY _id').all() as Record<
        'recipient' | 'subject' | 'body' | 'status',
        string
      >[],
    logged: async (type: string) => (await s.owner.do('readLogs', s.trial, { type })).entries[0]?.event,
  }
}
