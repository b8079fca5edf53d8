/**
 * The triggers behind the figures of sites: enrolment and source verification; and those that keep visits, delegation and training
 * as they were recorded. What a participant brings is subtracted before they are deleted, as their rows are gone afterwards.
 */
import { IN_TRIAL, refuseDeletions, refuseUpdates, trigger } from './builders'

/** The sites of the participant with this key (an SQL expression). */
const sitesOf = (key: string) =>
  `(SELECT m.site FROM participants p JOIN participantSites m ON m.participant = p._id WHERE p.key = ${key})`

const marksOn = (response: string) => `(SELECT count(*) FROM verifications WHERE response = ${response})`

const addFigures = (sign: '+' | '-', fields: string, verified: string, participant: string) =>
  `UPDATE siteFigures SET fields = fields ${sign} ${fields}, verified = verified ${sign} ${verified}
    WHERE site IN ${sitesOf(participant)}`

/**
 * The SQL of how many fields of a response have an entry: a blank has one if a later submission put it in the place of an answer.
 * @param row the row of the response
 */
export const entriesOf = (row: string) => `(SELECT count(*) FROM storedSubmissions m, json_each(m."values") v
    WHERE m._id = ${row}.submission AND (v.type <> 'null' OR EXISTS (
      SELECT 1 FROM storedSubmissions f WHERE f._id = ${row}.sources ->> v.key AND f.fields IS NOT NULL)))`

/** The hour of a mark. One that is recorded later than marks of later hours, as a demo does, counts in these too. */
const HOUR = 'NEW.verifiedAt / 3600000000'

/** The verification of responses. Without a participant, a response belongs to no site. */
const verification: string[] = [
  trigger(
    'responsesFieldsInsert',
    'AFTER INSERT',
    'storedResponses',
    `UPDATE siteFigures SET fields = fields + NEW.entries WHERE site IN ${sitesOf('NEW.participant')}`,
    'NEW.entries > 0',
  ),
  trigger(
    'responsesFieldsUpdate',
    'AFTER UPDATE OF entries',
    'storedResponses',
    `UPDATE siteFigures SET fields = fields + NEW.entries - OLD.entries WHERE site IN ${sitesOf('NEW.participant')}`,
    'NEW.entries <> OLD.entries',
  ),
  trigger(
    'responsesFieldsMove',
    'AFTER UPDATE OF participant',
    'storedResponses',
    `${addFigures('-', 'OLD.entries', marksOn('OLD._id'), 'OLD.participant')};
  ${addFigures('+', 'NEW.entries', marksOn('NEW._id'), 'NEW.participant')}`,
  ),
  // The marks are deleted with the response, when it cannot be found any more.
  trigger(
    'responsesFieldsDelete',
    'BEFORE DELETE',
    'storedResponses',
    addFigures('-', 'OLD.entries', marksOn('OLD._id'), 'OLD.participant'),
  ),
  trigger(
    'verificationsOfSitesInsert',
    'AFTER INSERT',
    'verifications',
    `UPDATE siteFigures SET verified = verified + 1
    WHERE site IN ${sitesOf('(SELECT participant FROM storedResponses WHERE _id = NEW.response)')};
  INSERT INTO siteVerifications (site, hour, trial, verified)
    SELECT m.site, ${HOUR}, p.trial, coalesce((SELECT verified FROM siteVerifications v
        WHERE v.site = m.site AND v.hour < ${HOUR} ORDER BY v.hour DESC LIMIT 1), 0) FROM storedResponses r
      JOIN participants p ON p.key = r.participant JOIN participantSites m ON m.participant = p._id
    WHERE r._id = NEW.response ON CONFLICT (site, hour) DO NOTHING;
  UPDATE siteVerifications SET verified = verified + 1
    WHERE site IN ${sitesOf('(SELECT participant FROM storedResponses WHERE _id = NEW.response)')} AND hour >= ${HOUR}`,
  ),
  trigger(
    'verificationsOfSitesDelete',
    'AFTER DELETE',
    'verifications',
    `UPDATE siteFigures SET verified = verified - 1
    WHERE site IN ${sitesOf('(SELECT participant FROM storedResponses WHERE _id = OLD.response)')}`,
  ),
]

const FIELDS = 'SELECT coalesce(sum(r.entries), 0) FROM participants p JOIN storedResponses r ON r.participant = p.key'
const VERIFIED = `SELECT count(*) FROM participants p JOIN storedResponses r ON r.participant = p.key
    JOIN verifications v ON v.response = r._id`

/** Adds all that a participant brings to a site, or subtracts it. */
const addParticipant = (sign: '+' | '-', row: 'NEW' | 'OLD') => {
  const about = `WHERE p._id = ${row}.participant`
  return `UPDATE siteFigures SET fields = fields ${sign} (${FIELDS} ${about}), verified = verified ${sign} (${VERIFIED} ${about}),
    enrolled = enrolled ${sign} (SELECT count(*) FROM participants p ${about} AND p.isArchived = 0)
    WHERE site = ${row}.site`
}

const MONTH = (row: string) => `strftime('%Y-%m', ${row}.createdAt / 1000000, 'unixepoch')`

const countMonth = (of: string) => `INSERT INTO siteEnrolment (site, month, trial, enrolled)
    ${of} ON CONFLICT (site, month) DO UPDATE SET enrolled = enrolled + 1`

/** The sites of the participant of the row of a trigger. */
const ownSites = (row: 'NEW' | 'OLD') => `(SELECT site FROM participantSites WHERE participant = ${row}._id)`

/** Subtracts an enrolled participant from all their sites. */
const uncount = (row: 'NEW' | 'OLD') => `UPDATE siteEnrolment SET enrolled = enrolled - 1
    WHERE site IN ${ownSites(row)} AND month = ${MONTH(row)}`

const enrolment: string[] = [
  trigger('sitesFigures', 'AFTER INSERT', 'sites', 'INSERT INTO siteFigures (site, trial) VALUES (NEW._id, NEW.trial)'),
  trigger(
    'participantSitesFiguresInsert',
    'AFTER INSERT',
    'participantSites',
    `${addParticipant('+', 'NEW')};
  ${countMonth(`SELECT NEW.site, ${MONTH('p')}, p.trial, 1 FROM participants p WHERE p._id = NEW.participant AND p.isArchived = 0`)}`,
  ),
  trigger(
    'participantSitesFiguresDelete',
    'AFTER DELETE',
    'participantSites',
    `${addParticipant('-', 'OLD')};
  UPDATE siteEnrolment SET enrolled = enrolled - 1 WHERE site = OLD.site
    AND month = (SELECT ${MONTH('p')} FROM participants p WHERE p._id = OLD.participant AND p.isArchived = 0)`,
  ),
  trigger(
    'participantsEnrolmentEnd',
    'AFTER UPDATE OF isArchived',
    'participants',
    `UPDATE siteFigures SET enrolled = enrolled - 1 WHERE site IN ${ownSites('NEW')};
  ${uncount('NEW')}`,
    'NEW.isArchived > OLD.isArchived',
  ),
  trigger(
    'participantsEnrolmentAgain',
    'AFTER UPDATE OF isArchived',
    'participants',
    `UPDATE siteFigures SET enrolled = enrolled + 1 WHERE site IN ${ownSites('NEW')};
  ${countMonth(`SELECT site, ${MONTH('NEW')}, NEW.trial, 1 FROM participantSites WHERE participant = NEW._id`)}`,
    'NEW.isArchived < OLD.isArchived',
  ),
  trigger(
    'participantsFiguresDelete',
    'BEFORE DELETE',
    'participants',
    `UPDATE siteFigures SET enrolled = enrolled - (1 - OLD.isArchived),
      fields = fields - (SELECT coalesce(sum(entries), 0) FROM storedResponses WHERE participant = OLD.key),
      verified = verified - (SELECT count(*) FROM storedResponses r JOIN verifications v ON v.response = r._id
        WHERE r.participant = OLD.key)
    WHERE site IN ${ownSites('OLD')};
  UPDATE siteEnrolment SET enrolled = enrolled - (1 - OLD.isArchived)
    WHERE site IN ${ownSites('OLD')} AND month = ${MONTH('OLD')}`,
  ),
]

const DELEGATION = 'the delegation log is append-only'

/** Records that an inspector reads: they end, or are struck out, and are not deleted. */
const records: string[] = [
  refuseUpdates('delegations', DELEGATION, {
    of: '_id, createdAt, createdBy, trial, site, user, userName, role, tasks, otherTasks, startsOn',
  }),
  refuseUpdates('delegations', DELEGATION, { name: 'delegationsEndOnce', when: 'OLD.endsOn IS NOT NULL' }),
  refuseDeletions('delegations', DELEGATION, IN_TRIAL),
  refuseUpdates('delegationSignatures', 'signatures are not changed'),
  refuseDeletions('delegationSignatures', 'signatures are kept', IN_TRIAL),
  refuseUpdates('trainings', 'the training log keeps whose training it is', {
    of: '_id, createdAt, createdBy, trial, site, user, userName',
  }),
  refuseUpdates('trainings', 'struck out training is not changed', {
    name: 'trainingsAreStruckOnce',
    when: 'OLD.struckAt IS NOT NULL',
  }),
  refuseDeletions('trainings', 'the training log is kept', IN_TRIAL),
]

export const siteTriggers: readonly string[] = [...verification, ...enrolment, ...records]
