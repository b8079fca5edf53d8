/** What other parts of Trialbox hold of the essential records. Each is one look-up by index. */
import type { Db } from '#db/open'
import { rowsFrom } from '#db/rows'
import { trainings } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { investigatorOn } from '#office/delegation/store'
import { isRenewed, lastTrainingsAt, type TrainingRow } from '#office/training/store'
import type { Source } from './recordType'
import type { Evidence } from './rules'

const evidenceIn = (db: Db, sql: string, values: Record<string, string>): Evidence =>
  db.$client.query<unknown, [Record<string, string>]>(`SELECT 1 FROM ${sql} LIMIT 1`).get(values) === null
    ? 'nothing'
    : 'found'

function delegations(db: Db, site: Id, today: string): Evidence {
  if (investigatorOn(db, site, today)) return 'found'
  return evidenceIn(db, 'delegations WHERE site = +$site', { site }) === 'found' ? 'unsigned' : 'nothing'
}

const VISITS = 'monitoringVisits WHERE site = +$site AND completedAt IS NOT NULL'

/** What is held about a site. */
export const siteEvidence: Readonly<Record<Source, (db: Db, site: Id, today: string) => Evidence>> = {
  forms: () => 'nothing',
  randomisations: () => 'nothing',
  destroyedPacks: () => 'nothing',
  delegations,
  participants: (db, site) => evidenceIn(db, 'siteFigures WHERE site = +$site AND enrolled > 0', { site }),
  responses: (db, site) => evidenceIn(db, 'siteFigures WHERE site = +$site AND fields > 0', { site }),
  trainings: (db, site, today) =>
    evidenceIn(
      db,
      'trainings WHERE site = +$site AND struckAt IS NULL AND (expiresOn IS NULL OR expiresOn >= +$today)',
      {
        site,
        today,
      },
    ),
  selectionVisits: (db, site) => evidenceIn(db, `${VISITS} AND category = 'ssv'`, { site }),
  monitoringVisits: (db, site) => evidenceIn(db, `${VISITS} AND category = 'mv'`, { site }),
  packs: (db, site) => evidenceIn(db, 'packEvents WHERE site = +$site', { site }),
}

export const hasPacks = (db: Db, trial: Id): Evidence => evidenceIn(db, 'packs WHERE trial = +$trial', { trial })
export const hasDestroyedPacks = (db: Db, trial: Id): Evidence =>
  evidenceIn(db, `packs WHERE trial = +$trial AND state = 'destroyed'`, { trial })

/** A randomisation whose list was fixed, or whose method was. */
export const hasRandomisation = (db: Db, trial: Id): Evidence =>
  evidenceIn(db, `randomisations WHERE trial = +$trial AND sealedAt IS NOT NULL`, { trial })

/** Training counts while the person is delegated, and that of people who were never delegated. */
const HAS_LEFT = `EXISTS (SELECT 1 FROM delegations d WHERE d.site = trainings.site AND d.user = trainings.user)
  AND NOT EXISTS (SELECT 1 FROM delegations d WHERE d.site = trainings.site AND d.user = trainings.user
    AND (d.endsOn IS NULL OR d.endsOn >= +$today))`

/** Training of people at a site that ends by a day and was not renewed. Training of those who left the site does not count. */
export function endingTrainings(db: Db, site: Id, until: string, today: string): TrainingRow[] {
  const last = lastTrainingsAt(db, site)
  return rowsFrom(
    db,
    trainings,
    `WHERE site = +$site AND struckAt IS NULL AND expiresOn <= +$until AND NOT (${HAS_LEFT}) ORDER BY _id`,
    { site, until, today },
  ).filter((row) => !isRenewed(row, last))
}
