/** A study with two sites and their staff, from which the tests of what is recorded about sites start. */
import type { Id } from '#kernel/id'
import { buildOnce } from '../buildOnce'
import { PASSWORD, type World } from '../harness'
import { shortCuts, study } from '../study'

export type Mail = { recipient: string; subject: string; body: string }

/** The study, with Anna at North and Bert at South; it has time to be spent on nothing else. */
async function build() {
  const s = await study({ trial: { timezone: 'Europe/Berlin' } })
  const north: Id = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'NO' }))._id
  const south: Id = (await s.owner.do('createSite', s.trial, { name: 'South', id: 'SO' }))._id
  await s.owner.do('addSiteMember', north, s.anna)
  await s.owner.do('addSiteMember', south, s.bert)
  const { trial, ids, stage, components, anna, bert, carl } = s
  return { w: s, made: { study: { trial, ids, stage, components, anna, bert, carl }, north, south } }
}

export async function siteStudy() {
  const { w, made } = await buildOnce('two sites with staff', build)
  return inSiteStudy(w, made)
}

function inSiteStudy(w: World, { study, north, south }: Awaited<ReturnType<typeof build>>['made']) {
  const s = shortCuts(w, study)
  const visits = `/sites/${north}/site-monitoring` as const
  return {
    ...s,
    north,
    south,
    visits,
    /** Somebody with these permissions at North. */
    atNorth: (...words: string[]) => w.staff(study.trial, words, north),
    atSouth: (...words: string[]) => w.staff(study.trial, words, south),
    visit: (id: string, more: Record<string, unknown> = {}) =>
      w.owner.do('createMonitoringVisit', north, { id, ...more }),
    /** Their session in the web app, with a fresh confirmation. */
    async confirmed(who: { _id: Id; email: string }) {
      const app = await w.signIn(who)
      await app.do('confirmIdentity', { password: PASSWORD })
      return app
    },
    mails: () => w.db.$client.query<Mail, []>('SELECT recipient, subject, body FROM outbox ORDER BY rowid').all(),
    /** The newest audit entry of this type. */
    entry: async (type: string) => (await w.owner.do('readLogs', study.trial, { type })).entries[0],
  }
}
