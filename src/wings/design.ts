/** All operations of the wing `design`. */

import { anchorOperations } from '#design/anchors/operations'
import { configurationVersionOperations } from '#design/configurationVersions/operations'
import { consentFormOperations } from '#design/consentForms/operations'
import { dataTypeOperations } from '#design/dataTypes/operations'
import { groupOperations } from '#design/groups/operations'
import { jobOperations } from '#design/jobs/operations'
import { resourceOperations } from '#design/participantResources/operations'
import { questionnaireOperations } from '#design/questionnaires/operations'
import { roleOperations } from '#design/roles/operations'
import { peopleOperations } from '#design/roles/peopleOperations'
import { unblindingOperations } from '#design/roles/unblindingOperations'
import { siteOperations } from '#design/sites/operations'
import { stageGroupOperations } from '#design/stageGroups/operations'
import { stageOperations } from '#design/stages/operations'
import { structureOperations } from '#design/structures/operations'
import { studyRecordOperations } from '#design/studyRecord/operations'
import { translationOperations } from '#design/translations/files/operations'
import { trialOperations } from '#design/trials/operations'
import { textOperations } from '#design/trials/textOperations'

export const designOperations = [
  ...trialOperations,
  ...stageOperations,
  ...groupOperations,
  ...textOperations,
  ...configurationVersionOperations,
  ...consentFormOperations,
  ...dataTypeOperations,
  ...questionnaireOperations,
  ...stageGroupOperations,
  ...anchorOperations,
  ...siteOperations,
  ...roleOperations,
  ...peopleOperations,
  ...unblindingOperations,
  ...jobOperations,
  ...structureOperations,
  ...studyRecordOperations,
  ...resourceOperations,
  ...translationOperations,
] as const
