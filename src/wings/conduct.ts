/** All operations of the wing `conduct`. */

import { eventOperations } from '#conduct/appointments/eventOperations'
import { meetingOperations } from '#conduct/appointments/meetingOperations'
import { ownAppointmentOperations } from '#conduct/appointments/ownOperations'
import { calendarLinkOperations } from '#conduct/calendar/linkOperations'
import { scheduleOperations } from '#conduct/calendar/scheduleOperations'
import { consentPublicOperations } from '#conduct/consents/publicOperations'
import { countersignOperations } from '#conduct/consents/signing/countersignOperations'
import { giveConsentOperations } from '#conduct/consents/signing/giveConsent'
import { consentOperations } from '#conduct/consents/staffOperations'
import { consentWithdrawalOperations } from '#conduct/consents/withdrawals/ownOperations'
import { staffWithdrawalOperations } from '#conduct/consents/withdrawals/staffOperations'
import { foodDiaryOperations } from '#conduct/foodDiary/operations'
import { ownFoodDiaryOperations } from '#conduct/foodDiary/ownOperations'
import { foodSearchOperations } from '#conduct/foodDiary/searchOperations'
import { heldEntryOperations } from '#conduct/heldEntries/operations'
import { ownHeldEntryOperations } from '#conduct/heldEntries/ownOperations'
import { messageOperations } from '#conduct/messages/operations'
import { ownMessageOperations } from '#conduct/messages/ownOperations'
import { noteOperations } from '#conduct/notes/operations'
import { notificationOperations } from '#conduct/notifications/operations'
import { ownResourceOperations } from '#conduct/participantResources/ownOperations'
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
import { personalDataOperations } from '#conduct/personalData/operations'
import { pollCodeOperations } from '#conduct/polls/codeOperations'
import { pollOperations } from '#conduct/polls/operations'
import { queryOperations } from '#conduct/queries/operations'
import { allocationOperations } from '#conduct/responses/allocationOperations'
import { responseOperations } from '#conduct/responses/operations'
import { ownResponseOperations } from '#conduct/responses/participantOperations'
import { reviewOperations } from '#conduct/review/operations'
import { screeningOperations } from '#conduct/screening/operations'
import { envelopeOperations } from '#conduct/sharedDevices/envelopeOperations'
import { sharedDeviceFileOperations } from '#conduct/sharedDevices/fileOperations'
import { sharedDeviceOperations } from '#conduct/sharedDevices/operations'
import { pinOperations } from '#conduct/sharedDevices/pinOperations'
import { tabletOperations } from '#conduct/sharedDevices/tabletOperations'
import { signatureOperations } from '#conduct/signatures/operations'
import { stageTokenOperations } from '#conduct/stageTokens/operations'
import { laneOperations } from '#conduct/tasks/laneOperations'
import { taskOperations } from '#conduct/tasks/operations'
import { timelineOperations } from '#conduct/timeline/operations'
import { reschedulingOperations } from '#conduct/timeline/reschedulingOperations'
import { uploadOperations } from '#conduct/uploads/operations'
import { hardwareImportOperations } from '#conduct/wearables/imports/operations'
import { wearableOperations } from '#conduct/wearables/operations'
import { ownWearableOperations } from '#conduct/wearables/ownOperations'

export const conductOperations = [
  ...timelineOperations,
  ...reschedulingOperations,
  ...responseOperations,
  ...reviewOperations,
  ...allocationOperations,
  ...signatureOperations,
  ...pollOperations,
  ...pollCodeOperations,
  ...screeningOperations,
  ...queryOperations,
  ...taskOperations,
  ...laneOperations,
  ...ownResponseOperations,
  ...ownHeldEntryOperations,
  ...heldEntryOperations,
  ...stageTokenOperations,
  ...groupMembershipOperations,
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
  ...grantOperations,
  ...noteOperations,
  ...scheduleOperations,
  ...calendarLinkOperations,
  ...eventOperations,
  ...meetingOperations,
  ...ownAppointmentOperations,
  ...foodDiaryOperations,
  ...ownFoodDiaryOperations,
  ...foodSearchOperations,
  ...consentOperations,
  ...consentPublicOperations,
  ...signInOperations,
  ...participantSessionOperations,
  ...pushOperations,
  ...ownResourceOperations,
  ...uploadOperations,
  ...sharedDeviceOperations,
  ...pinOperations,
  ...tabletOperations,
  ...envelopeOperations,
  ...sharedDeviceFileOperations,
  ...wearableOperations,
  ...ownWearableOperations,
  ...countersignOperations,
  ...giveConsentOperations,
  ...consentWithdrawalOperations,
  ...staffWithdrawalOperations,
  ...hardwareImportOperations,
  ...personalDataOperations,
] as const
