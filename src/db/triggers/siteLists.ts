/** The triggers behind the lists of participants of one site: `siteParticipants`, and how many there are (`siteParticipantCounts`). */
import { trigger } from './builders'

/** The columns of a participant that lists of a site repeat. Their trigger names the columns behind `facets`. */
const LIST_COLUMNS = ['facets', 'createdAt', 'idSort', 'lastSeenAt', 'lastMessageAt']
const IS_CHANGED = [
  ...['isArchived', 'isUnallocated', 'isWithdrawn', 'joinedAt', 'lastSeenAt', 'stagesBehindSchedule', 'unreadCount'],
  ...['groupCount', 'createdAt', 'idSort', 'lastMessageAt'],
]

const count =
  'INSERT INTO siteParticipantCounts VALUES (NEW.site, NEW.facets, 1) ON CONFLICT DO UPDATE SET count = count + 1'
const uncount = 'UPDATE siteParticipantCounts SET count = count - 1 WHERE site = OLD.site AND facets = OLD.facets'

/** A row ends with its membership, by its reference. */
export const siteListTriggers: string[] = [
  trigger(
    'participantSitesListInsert',
    'AFTER INSERT',
    'participantSites',
    `INSERT INTO siteParticipants (participant, site, ${LIST_COLUMNS.join(', ')})
    SELECT NEW.participant, NEW.site, ${LIST_COLUMNS.join(', ')} FROM participants WHERE _id = NEW.participant`,
  ),
  trigger(
    'participantsSiteList',
    `AFTER UPDATE OF ${IS_CHANGED.join(', ')}`,
    'participants',
    `UPDATE siteParticipants SET ${LIST_COLUMNS.map((column) => `${column} = NEW.${column}`).join(', ')}
    WHERE participant = NEW._id`,
    LIST_COLUMNS.map((column) => `NEW.${column} IS NOT OLD.${column}`).join(' OR '),
  ),
  trigger('siteParticipantsInsert', 'AFTER INSERT', 'siteParticipants', count),
  trigger('siteParticipantsDelete', 'AFTER DELETE', 'siteParticipants', uncount),
  trigger(
    'siteParticipantsUpdate',
    'AFTER UPDATE OF facets',
    'siteParticipants',
    `${uncount};\n  ${count}`,
    'NEW.facets <> OLD.facets',
  ),
]
