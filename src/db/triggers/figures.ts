/**
 * The triggers behind the figures of dashboards. What a participant brings is subtracted before they are deleted, as their rows are
 * gone afterwards; what a site has is deleted after it, and memberships that end with it change nothing any more.
 */
import { joinStatements, trigger } from './builders'
import { queryFigureTriggers } from './queryFigures'

const MONTH = (row: string) => `strftime('%Y-%m', ${row}.createdAt / 1000000, 'unixepoch')`

const addEnrolled = (row: string, by: string) => `INSERT INTO trialEnrolment (trial, month, enrolled)
    SELECT ${row}.trial, ${MONTH(row)}, ${by} WHERE TRUE
    ON CONFLICT (trial, month) DO UPDATE SET enrolled = enrolled + excluded.enrolled`

const enrolment: string[] = [
  trigger('participantsMonthInsert', 'AFTER INSERT', 'participants', addEnrolled('NEW', '1'), 'NEW.isArchived = 0'),
  trigger(
    'participantsMonthArchived',
    'AFTER UPDATE OF isArchived',
    'participants',
    addEnrolled('NEW', 'OLD.isArchived - NEW.isArchived'),
    'NEW.isArchived <> OLD.isArchived',
  ),
  // The trial may be gone already: then the row goes with it.
  trigger(
    'participantsMonthDelete',
    'BEFORE DELETE',
    'participants',
    `UPDATE trialEnrolment SET enrolled = enrolled - 1 WHERE trial = OLD.trial AND month = ${MONTH('OLD')}`,
    'OLD.isArchived = 0',
  ),
]

/** Adds the rows of a select of stage (key), site, completed and overdue, each number with its sign. */
const addFigures = (select: string) => `INSERT INTO stageFigures (stage, site, completed, overdue)
    ${select}
    ON CONFLICT (stage, site) DO UPDATE SET completed = completed + excluded.completed, overdue = overdue + excluded.overdue`

const ACTIVE = 'p.isArchived = 0 AND p.isWithdrawn = 0'

/**
 * Adds or subtracts one response of the participant with this key (an SQL expression), for the trial and each of their sites. What is
 * deleted with its stage has no figures any more.
 */
const addResponse = (row: string, sign: '' | '-') => {
  const ofStage = sign && ` AND EXISTS (SELECT 1 FROM stages WHERE key = ${row}.stage)`
  const where = `WHERE p.key = ${row}.participant AND p.isArchived = 0${ofStage}`
  return addFigures(`SELECT ${row}.stage, '', ${sign}1, 0 FROM participants p ${where}
    UNION ALL SELECT ${row}.stage, m.site, ${sign}1, 0 FROM participants p
      JOIN participantSites m ON m.participant = p._id ${where}`)
}

/** Adds so many (an SQL expression) overdue forms of the row of a trigger. The stage is gone if its deletion deleted the row. */
const addOverdue = (row: string, forms: string) => {
  const from = `FROM stages s JOIN participants p`
  const where = `WHERE s._id = ${row}.stage AND p._id = ${row}.participant AND ${ACTIVE}`
  return addFigures(`SELECT s.key, '', 0, ${forms} ${from} ${where}
    UNION ALL SELECT s.key, m.site, 0, ${forms} ${from} JOIN participantSites m ON m.participant = p._id ${where}`)
}

/** All responses and overdue forms of a participant, for the trial. @param when a condition on the participant `p` */
const ofParticipant = (id: string, sign: '' | '-', when = 'TRUE') => [
  addFigures(`SELECT r.stage, '', ${sign}count(*), 0 FROM participants p JOIN storedResponses r ON r.participant = p.key
      JOIN stages s ON s.key = r.stage WHERE p._id = ${id} AND ${when} GROUP BY r.stage`),
  addFigures(`SELECT r.stage, m.site, ${sign}count(*), 0 FROM participants p JOIN storedResponses r ON r.participant = p.key
      JOIN stages s ON s.key = r.stage JOIN participantSites m ON m.participant = p._id
    WHERE p._id = ${id} AND ${when} GROUP BY r.stage, m.site`),
]

const overdueOf = (id: string, sign: '' | '-', when = 'TRUE') =>
  addFigures(`SELECT s.key, '', 0, ${sign}o.forms FROM participants p JOIN overdueForms o ON o.participant = p._id
      JOIN stages s ON s._id = o.stage WHERE p._id = ${id} AND ${when}
    UNION ALL SELECT s.key, m.site, 0, ${sign}o.forms FROM participants p JOIN overdueForms o ON o.participant = p._id
      JOIN stages s ON s._id = o.stage JOIN participantSites m ON m.participant = p._id WHERE p._id = ${id} AND ${when}`)

/** The same for one site, when a participant joins or leaves it. A site that was deleted has no figures. */
const atSite = (row: 'NEW' | 'OLD', sign: '' | '-') => [
  addFigures(`SELECT r.stage, ${row}.site, ${sign}count(*), 0 FROM sites x JOIN participants p
      JOIN storedResponses r ON r.participant = p.key JOIN stages s ON s.key = r.stage
    WHERE x._id = ${row}.site AND p._id = ${row}.participant AND p.isArchived = 0 GROUP BY r.stage`),
  addFigures(`SELECT s.key, ${row}.site, 0, ${sign}o.forms FROM sites x JOIN participants p
      JOIN overdueForms o ON o.participant = p._id JOIN stages s ON s._id = o.stage
    WHERE x._id = ${row}.site AND p._id = ${row}.participant AND ${ACTIVE}`),
]

const wasActive = 'OLD.isArchived = 0 AND OLD.isWithdrawn = 0'
const isActive = 'NEW.isArchived = 0 AND NEW.isWithdrawn = 0'

const stages: string[] = [
  trigger('responsesStageInsert', 'AFTER INSERT', 'storedResponses', addResponse('NEW', '')),
  trigger('responsesStageDelete', 'BEFORE DELETE', 'storedResponses', addResponse('OLD', '-')),
  trigger(
    'responsesStageMove',
    'AFTER UPDATE OF participant',
    'storedResponses',
    joinStatements(addResponse('OLD', '-'), addResponse('NEW', '')),
  ),
  trigger('overdueFormsInsert', 'AFTER INSERT', 'overdueForms', addOverdue('NEW', 'NEW.forms')),
  trigger('overdueFormsUpdate', 'AFTER UPDATE OF forms', 'overdueForms', addOverdue('NEW', 'NEW.forms - OLD.forms')),
  trigger('overdueFormsDelete', 'AFTER DELETE', 'overdueForms', addOverdue('OLD', '-OLD.forms')),
  trigger('participantSitesStageInsert', 'AFTER INSERT', 'participantSites', joinStatements(...atSite('NEW', ''))),
  trigger('participantSitesStageDelete', 'AFTER DELETE', 'participantSites', joinStatements(...atSite('OLD', '-'))),
  trigger('sitesStageDelete', 'AFTER DELETE', 'sites', 'DELETE FROM stageFigures WHERE site = OLD._id'),
  trigger(
    'participantsStageArchived',
    'AFTER UPDATE OF isArchived',
    'participants',
    joinStatements(...ofParticipant('NEW._id', '-')),
    'NEW.isArchived > OLD.isArchived',
  ),
  trigger(
    'participantsStageRestored',
    'AFTER UPDATE OF isArchived',
    'participants',
    joinStatements(...ofParticipant('NEW._id', '')),
    'NEW.isArchived < OLD.isArchived',
  ),
  trigger(
    'participantsOverdueEnd',
    'AFTER UPDATE OF isArchived, isWithdrawn',
    'participants',
    overdueOf('NEW._id', '-'),
    `${wasActive} AND NOT (${isActive})`,
  ),
  trigger(
    'participantsOverdueAgain',
    'AFTER UPDATE OF isArchived, isWithdrawn',
    'participants',
    overdueOf('NEW._id', ''),
    `${isActive} AND NOT (${wasActive})`,
  ),
  trigger(
    'participantsStageDelete',
    'BEFORE DELETE',
    'participants',
    joinStatements(...ofParticipant('OLD._id', '-', 'p.isArchived = 0'), overdueOf('OLD._id', '-', ACTIVE)),
  ),
]

/** Insights on so many participants or more say nothing about one of them. */
const LEAST_PARTICIPANTS = 10

const deleteSmallInsights = (trial: string) =>
  `DELETE FROM trialInsights WHERE trial = ${trial} AND participants < ${LEAST_PARTICIPANTS}`

const insights: string[] = [
  trigger('participantsInsightsDelete', 'AFTER DELETE', 'participants', deleteSmallInsights('OLD.trial')),
  trigger('participantsInsightsErased', 'AFTER UPDATE OF erasedAt', 'participants', deleteSmallInsights('NEW.trial')),
  trigger(
    'sitesInsightsDelete',
    'AFTER DELETE',
    'sites',
    'DELETE FROM trialInsights WHERE trial = OLD.trial AND site = OLD._id',
  ),
]

export const figureTriggers: readonly string[] = [...enrolment, ...stages, ...queryFigureTriggers, ...insights]
