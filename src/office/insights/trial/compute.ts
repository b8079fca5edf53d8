/** Computes the insights on a trial and its sites, on a worker thread: it reads every response. */
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { sitesOf } from '#design/sites/store'
import { trialById } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { found } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { compareSites } from './compare'
import { factsOf } from './facts'
import { comparisonRuleFor } from './indicators'
import { numbersOf } from './numbers'
import { entriesOf, type InsightRow, participantPage, queriesAtSites } from './store'
import { addFacts, emptyTally, type Tally } from './tally'

const PAGE = 200

/** The rows to keep: that of the trial first, which also has the comparison of the sites. @param progress called with the number of participants that are done */
export function computeInsights(db: Db, trialId: Id, now: Instant, progress: (text: string) => void): InsightRow[] {
  const trial = found(trialById(db, trialId), 'trial')
  const config = configuration(db, trial)
  // Before anything is read: what happens meanwhile makes the insights due again.
  const entries = entriesOf(db, trialId)
  const rule = comparisonRuleFor(config)
  const whole = emptyTally('trial')
  const open = [...config.dataTypes.keys()].filter((dataType) => rule(dataType))
  const queries = queriesAtSites(db, trialId, open)
  const sites = new Map<Id, Tally>(sitesOf(db, trialId, 'all').map(({ _id }) => [_id, emptyTally('site')]))
  for (let after: Id | undefined = ''; after !== undefined; ) {
    const { participants, last } = participantPage(db, trialId, after, PAGE)
    for (const participant of participants) {
      const facts = factsOf(db, config, trial, participant, now)
      addFacts(whole, facts, rule)
      for (const site of facts.sites) {
        const tally = sites.get(site)
        if (tally) addFacts(tally, facts, rule)
      }
    }
    after = last
    progress(`${whole.participants.toLocaleString('en-GB')} participants read.`)
  }
  const about = { trial: trialId, computedAt: now, entries }
  const shares = [...sites].map(([site, { indicators }]) => ({
    site,
    indicators: {
      ...indicators,
      queries: { of: indicators.queries.of, count: Math.min(queries.get(site) ?? 0, indicators.queries.of) },
    },
  }))
  const rowOf = (site: Id, tally: Tally): InsightRow => {
    const numbers = numbersOf(tally)
    return { ...about, site, participants: numbers.participants, numbers, comparisons: [] }
  }
  const first = { ...rowOf('', whole), comparisons: compareSites(shares) }
  return [first, ...[...sites].map(([site, tally]) => rowOf(site, tally))]
}
