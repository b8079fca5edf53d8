import type { Db } from '#db/open'
import { Anchor } from '#design/anchors/model'
import { anchorsOf } from '#design/anchors/store'
import { SavedConsentForm } from '#design/consentForms/model'
import { consentFormsOf } from '#design/consentForms/store'
import { DataType } from '#design/dataTypes/model'
import { dataTypesOf } from '#design/dataTypes/store'
import { Group } from '#design/groups/model'
import { groupsOf } from '#design/groups/store'
import { sitesOf } from '#design/sites/store'
import { StageGroup } from '#design/stageGroups/model'
import { stageGroupsOf } from '#design/stageGroups/store'
import { Stage } from '#design/stages/model'
import { stagesOf } from '#design/stages/store'
import { TrialFields } from '#design/trials/model'
import { fieldsOf, lockedFieldsIn } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import { projector } from '#wire/project'
import { id, list, shape, type TSchema, text } from '#wire/schema'
import type { Snapshot } from './model'

const fields: Record<string, TSchema> = TrialFields.properties
/** The trial's settings that a locked configuration refuses to change. The password is not part of a snapshot. */
const Settings = shape(
  'SavedTrialSettings',
  Object.fromEntries(lockedFieldsIn(Object.keys(fields)).map((field) => [field, fields[field]!])),
)

/** The fields that identify a site. All others are operational: no lock refuses to change them. */
const Site = shape('SavedSite', { _id: id(), name: text(2, 100), id: text(2, 100) })

const writeSnapshot = projector(
  shape({
    dataTypes: list(DataType),
    stages: list(Stage),
    stageGroups: list(StageGroup),
    anchors: list(Anchor),
    groups: list(Group),
    sites: list(Site),
    consentForms: list(SavedConsentForm),
    settings: Settings,
  }),
)

/** The trial's present configuration, in the form in which the API returns it. Call it within a transaction. */
export function snapshotOf(db: Db, trial: Trial): Snapshot {
  const content = {
    dataTypes: dataTypesOf(db, trial._id),
    stages: stagesOf(db, trial._id),
    stageGroups: stageGroupsOf(db, trial._id),
    anchors: anchorsOf(db, trial._id),
    groups: groupsOf(db, trial._id, 'all'),
    sites: sitesOf(db, trial._id, 'all'),
    consentForms: consentFormsOf(db, trial._id).reverse(),
    settings: fieldsOf(trial),
  }
  return writeSnapshot(content, { personal: () => true }) as Snapshot
}
