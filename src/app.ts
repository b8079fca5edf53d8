/** All operations of the server in one list. */

import { sessionOperations } from '#accounts/sessions/operations'
import { teamOperations } from '#accounts/teams/operations'
import { userOperations } from '#accounts/users/operations'
import { setupOperations } from '#accounts/users/setupOperations'
import { totpOperations } from '#accounts/users/totpOperations'
import { eventOperations } from '#conduct/appointments/eventOperations'
import { meetingOperations } from '#conduct/appointments/meetingOperations'
import { ownAppointmentOperations } from '#conduct/appointments/ownOperations'
import { calendarLinkOperations } from '#conduct/calendar/linkOperations'
import { scheduleOperations } from '#conduct/calendar/scheduleOperations'
import { messageOperations } from '#conduct/messages/operations'
import { ownMessageOperations } from '#conduct/messages/ownOperations'
import { noteOperations } from '#conduct/notes/operations'
import { notificationOperations } from '#conduct/notifications/operations'
import { resourceOperations } from '#conduct/participantResources/operations'
import { participantSessionOperations } from '#conduct/participantSessions/operations'
import { pushOperations } from '#conduct/participantSessions/pushOperations'
import { signInOperations } from '#conduct/participantSessions/signInOperations'
import { bulkOperations } from '#conduct/participants/bulkOperations'
import { deletionOperations } from '#conduct/participants/deletionOperations'
import { grantOperations } from '#conduct/participants/grantOperations'
import { groupMembershipOperations } from '#conduct/participants/groupMembershipOperations'
import { participantListOperations } from '#conduct/participants/listOperations'
import { participantOperations } from '#conduct/participants/operations'
import { registrationOperations } from '#conduct/participants/registrationOperations'
import { siteMembershipOperations } from '#conduct/participants/siteMembershipOperations'
import { participantUpdateOperations } from '#conduct/participants/updateOperations'
import { queryOperations } from '#conduct/queries/operations'
import { allocationOperations } from '#conduct/responses/allocationOperations'
import { responseOperations } from '#conduct/responses/operations'
import { ownResponseOperations } from '#conduct/responses/participantOperations'
import { reviewOperations } from '#conduct/review/operations'
import { signatureOperations } from '#conduct/signatures/operations'
import { stageTokenOperations } from '#conduct/stageTokens/operations'
import { laneOperations } from '#conduct/tasks/laneOperations'
import { taskOperations } from '#conduct/tasks/operations'
import { timelineOperations } from '#conduct/timeline/operations'
import { reschedulingOperations } from '#conduct/timeline/reschedulingOperations'
import { uploadOperations } from '#conduct/uploads/operations'
import { anchorOperations } from '#design/anchors/operations'
import { configurationVersionOperations } from '#design/configurationVersions/operations'
import { dataTypeOperations } from '#design/dataTypes/operations'
import { groupOperations } from '#design/groups/operations'
import { questionnaireOperations } from '#design/questionnaires/operations'
import { roleOperations } from '#design/roles/operations'
import { peopleOperations } from '#design/roles/peopleOperations'
import { siteOperations } from '#design/sites/operations'
import { stageGroupOperations } from '#design/stageGroups/operations'
import { textOperations } from '#design/trials/textOperations'
import { exportOperations } from '#exchange/exports/operations'
import { structureOperations } from '#exchange/imports/operations'
import { jobOperations } from '#exchange/jobs/operations'
import { logOperations } from '#exchange/logs/operations'
import { personalDataOperations } from '#exchange/personalData/operations'
import { stageOperations } from '#exchange/stages/operations'
import { studyRecordOperations } from '#exchange/studyRecord/operations'
import { trialOperations } from '#exchange/trials/operations'
import { healthOperations } from '#http/health'
import type { AnyOperation } from '#http/operation'
import { communicationOperations } from '#office/communication/operations'

export const operations = [
  ...healthOperations,
  ...groupOperations,
  ...timelineOperations,
  ...reschedulingOperations,
  ...responseOperations,
  ...reviewOperations,
  ...allocationOperations,
  ...signatureOperations,
  ...queryOperations,
  ...taskOperations,
  ...laneOperations,
  ...ownResponseOperations,
  ...trialOperations,
  ...textOperations,
  ...configurationVersionOperations,
  ...studyRecordOperations,
  ...logOperations,
  ...communicationOperations,
  ...dataTypeOperations,
  ...stageOperations,
  ...structureOperations,
  ...questionnaireOperations,
  ...stageGroupOperations,
  ...stageTokenOperations,
  ...anchorOperations,
  ...groupMembershipOperations,
  ...siteOperations,
  ...siteMembershipOperations,
  ...participantListOperations,
  ...registrationOperations,
  ...messageOperations,
  ...ownMessageOperations,
  ...notificationOperations,
  ...bulkOperations,
  ...participantOperations,
  ...participantUpdateOperations,
  ...deletionOperations,
  ...personalDataOperations,
  ...grantOperations,
  ...noteOperations,
  ...scheduleOperations,
  ...calendarLinkOperations,
  ...eventOperations,
  ...meetingOperations,
  ...ownAppointmentOperations,
  ...signInOperations,
  ...participantSessionOperations,
  ...pushOperations,
  ...resourceOperations,
  ...userOperations,
  ...totpOperations,
  ...sessionOperations,
  ...setupOperations,
  ...teamOperations,
  ...roleOperations,
  ...peopleOperations,
  ...uploadOperations,
  ...jobOperations,
  ...exportOperations,
] as const satisfies readonly AnyOperation[]
