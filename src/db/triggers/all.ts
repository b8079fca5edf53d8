/**
 * The triggers of the database. They protect history from changes, keep counts, and mark what must be recalculated, whatever
 * program writes. `createDerived` creates all of them again at each schema version.
 */

import { auditTriggers } from './audit'
import {
  ALL_EVENTS,
  accessTriggers,
  afterEvents,
  changeBy,
  countRows,
  deletePermissionsOf,
  INSERT_AND_DELETE,
  newRosterVersion,
  progressTriggers,
  RANDOM_VERSION,
  revisionTriggers,
  rosterTriggers,
  trigger,
} from './builders'
import { appointmentReminders } from './calendar'
import { consentTriggers } from './consents'
import { figureTriggers } from './figures'
import { fileApprovalTriggers } from './fileApprovals'
import { history } from './history'
import { incentiveTriggers } from './incentives'
import { masterFileTriggers } from './masterFile'
import { messageTriggers } from './messages'
import { packTriggers } from './packs'
import { randomisationTriggers } from './randomisation'
import { readTriggers } from './reads'
import { siteListTriggers } from './siteLists'
import { siteMessageTriggers } from './siteMessages'
import { siteTriggers } from './sites'
import { uploadTotals } from './uploads'
import { wearableTriggers } from './wearables'

/** A signature counts for a response, and for its participant if no other does. */
const markResponse = `UPDATE participants SET ${changeBy('signedCount', '+ 1')} WHERE _id = (SELECT participant FROM signatures WHERE _id = NEW.signature)
    AND NOT EXISTS (SELECT 1 FROM signedResponses
      WHERE response = NEW.response AND signature <> NEW.signature AND endedAt IS NULL);
  UPDATE storedResponses SET ${changeBy('marks', '+ 1')} WHERE _id = NEW.response`

const counts: string[] = [
  ...countRows('dataTypes', 'trials', 'dataTypeCount', 'trial'),
  ...countRows('stages', 'trials', 'stageCount', 'trial'),
  ...countRows('participantGroups', 'participants', 'groupCount', 'participant'),
  ...countRows('verifications', 'storedResponses', 'marks', 'response'),
  ...consentTriggers,
  ...afterEvents('participantsCount', 'participants', INSERT_AND_DELETE, (row) => {
    const one = changeBy('participantCount', row === 'NEW' ? '+ 1' : '- 1')
    return `UPDATE trials SET ${one} WHERE _id = ${row}.trial;
  UPDATE teams SET ${one} WHERE _id = (SELECT team FROM trials WHERE _id = ${row}.trial AND deletedAt IS NULL)`
  }),
  trigger(
    'trialsCountDelete',
    'AFTER DELETE',
    'trials',
    'UPDATE teams SET participantCount = participantCount - OLD.participantCount WHERE _id = OLD.team',
    'OLD.deletedAt IS NULL',
  ),
  // A deleted trial is not counted for its team; a restored one is counted again.
  trigger(
    'trialsCountHidden',
    'AFTER UPDATE OF deletedAt',
    'trials',
    `UPDATE teams SET participantCount = participantCount
      + iif(NEW.deletedAt IS NULL, NEW.participantCount, - OLD.participantCount) WHERE _id = NEW.team`,
    '(NEW.deletedAt IS NULL) <> (OLD.deletedAt IS NULL)',
  ),
  trigger('signedResponsesMarksInsert', 'AFTER INSERT', 'signedResponses', markResponse, 'NEW.endedAt IS NULL'),
  trigger(
    'signedResponsesMarksEnd',
    'AFTER UPDATE OF endedAt',
    'signedResponses',
    `UPDATE participants SET ${changeBy('signedCount', '- 1')} WHERE _id = (SELECT participant FROM signatures WHERE _id = NEW.signature)
    AND NOT EXISTS (SELECT 1 FROM signedResponses WHERE response = NEW.response AND endedAt IS NULL);
  UPDATE storedResponses SET ${changeBy('marks', '- 1')} WHERE _id = NEW.response`,
    'OLD.endedAt IS NULL AND NEW.endedAt IS NOT NULL',
  ),
  trigger(
    'signedResponsesMarksAgain',
    'AFTER UPDATE OF endedAt',
    'signedResponses',
    markResponse,
    'OLD.endedAt IS NOT NULL AND NEW.endedAt IS NULL',
  ),
]

const uncountFacets = 'UPDATE participantCounts SET count = count - 1 WHERE trial = OLD.trial AND facets = OLD.facets'
const countFacets =
  'INSERT INTO participantCounts VALUES (NEW.trial, NEW.facets, 1) ON CONFLICT DO UPDATE SET count = count + 1'

/** The number of participants with each value of `facets`; see the migration. The update trigger names the columns behind it. */
const lists: string[] = [
  trigger(
    'participantsFacetsInsert',
    'AFTER INSERT',
    'participants',
    `${countFacets};\n  ${newRosterVersion('NEW.trial')}`,
  ),
  trigger(
    'participantsFacetsDelete',
    'AFTER DELETE',
    'participants',
    `${uncountFacets};\n  ${newRosterVersion('OLD.trial')}`,
  ),
  trigger(
    'participantsFacetsUpdate',
    'AFTER UPDATE OF isArchived, isUnallocated, isWithdrawn, joinedAt, lastSeenAt, stagesBehindSchedule, unreadCount, groupCount',
    'participants',
    `${uncountFacets};\n  ${countFacets};\n  ${newRosterVersion('NEW.trial')}`,
    'NEW.facets <> OLD.facets',
  ),
  trigger('participantsRosterId', 'AFTER UPDATE OF idSort', 'participants', newRosterVersion('NEW.trial')),
  ...rosterTriggers('participantSites'),
  ...rosterTriggers('participantGroups'),
  ...rosterTriggers('allocations'),
  trigger(
    'trialsRosterDelete',
    'AFTER DELETE',
    'trials',
    `DELETE FROM cacheVersions WHERE name = 'roster ' || OLD._id`,
  ),
]

const countResponse = (row: string, by: '+ 1' | '- 1') =>
  `UPDATE participants SET progressDueAt = 0, ${changeBy('responseCount', by)} WHERE key = ${row}.participant`

/** By the layout, which is still there when the stage is deleted. */
const countInTrial = (row: string, by: '+ 1' | '- 1') =>
  `UPDATE trials SET ${changeBy('responseCount', by)} WHERE _id = (SELECT trial FROM layouts WHERE key = ${row}.layout)`

/** Changes that a participant's progress and reminders depend on. */
const progress: string[] = [
  ...progressTriggers('participantSites', INSERT_AND_DELETE),
  ...progressTriggers('participantGroups', INSERT_AND_DELETE),
  ...progressTriggers('participantAnchors', ALL_EVENTS),
  ...progressTriggers('stageOverrides', ALL_EVENTS),
  trigger(
    'responsesProgressInsert',
    'AFTER INSERT',
    'storedResponses',
    `${countResponse('NEW', '+ 1')};\n  ${countInTrial('NEW', '+ 1')}`,
  ),
  trigger(
    'responsesProgressDelete',
    'AFTER DELETE',
    'storedResponses',
    `${countResponse('OLD', '- 1')};\n  ${countInTrial('OLD', '- 1')}`,
  ),
  trigger(
    'responsesProgressUpdate',
    'AFTER UPDATE OF participant',
    'storedResponses',
    `${countResponse('OLD', '- 1')};\n  ${countResponse('NEW', '+ 1')}`,
  ),
  trigger(
    'participantsProgressState',
    'AFTER UPDATE OF timezone, isArchived, isWithdrawn',
    'participants',
    'UPDATE participants SET progressDueAt = 0 WHERE _id = NEW._id',
  ),
  trigger(
    'trialsProgressState',
    'AFTER UPDATE OF timezone, behindScheduleNotices, isArchived, isDatabaseLocked',
    'trials',
    `UPDATE trials SET revision = ${RANDOM_VERSION} WHERE _id = NEW._id`,
  ),
]

/** Rows that are deleted or move with other rows, besides those that foreign keys delete. */
const dependents: string[] = [
  deletePermissionsOf('sites'),
  deletePermissionsOf('groups'),
  // A device gets push notifications only as long as the session that registered it exists.
  trigger(
    'participantTokensPush',
    'AFTER DELETE',
    'participantTokens',
    'UPDATE participants SET pushToken = NULL, pushSession = NULL WHERE _id = OLD.participant AND pushSession = OLD.hash',
  ),
  trigger(
    'queriesFollow',
    'AFTER UPDATE OF participant',
    'storedResponses',
    'UPDATE queries SET participant = (SELECT _id FROM participants WHERE key = NEW.participant) WHERE response = NEW._id',
  ),
  // The notifications of a submission were for the participant to whom the response was assigned then.
  trigger(
    'dueNotificationsEnd',
    'AFTER UPDATE OF participant',
    'storedResponses',
    'DELETE FROM dueNotifications WHERE response = NEW._id AND sentAt IS NULL',
  ),
]

/** Every trigger of the database, as the statement that creates it. */
export const triggers: readonly string[] = [
  ...auditTriggers,
  ...history,
  ...readTriggers,
  ...counts,
  ...lists,
  ...progress,
  ...dependents,
  ...appointmentReminders,
  ...uploadTotals,
  ...messageTriggers,
  ...randomisationTriggers,
  ...packTriggers,
  ...masterFileTriggers,
  ...fileApprovalTriggers,
  ...siteMessageTriggers,
  ...siteTriggers,
  ...siteListTriggers,
  ...figureTriggers,
  ...incentiveTriggers,
  ...wearableTriggers,
  ...accessTriggers('users', 'email, name, isDisabled'),
  ...accessTriggers('teams', 'name, features, participantLimit'),
  ...accessTriggers('teamMembers'),
  ...accessTriggers('apiKeys', 'user, hash, expiresAt, isReadOnly, trials, suspendedAt'),
  ...accessTriggers('sessions', 'user, hash, csrfToken, expiresAt, confirmedAt'),
  ...accessTriggers('roles', 'permissions'),
  ...accessTriggers('userRoles'),
  ...accessTriggers('permissions'),
  ...accessTriggers('unblindingGrants'),
  ...accessTriggers('sites', '_id'),
  ...accessTriggers('groups', '_id'),
  ...accessTriggers('trials', '_id, team, settings, deletedAt'),
  ...['dataTypes', 'stages', 'stageGroups', 'anchors', 'groups', 'sites'].flatMap(revisionTriggers),
]
