import type { Db } from '../../db/open'
import { projector } from '../../wire/project'
import { id, list, shape, type TSchema, text } from '../../wire/words'
import { Anchor } from '../anchors/model'
import { anchorsOf } from '../anchors/queries'
import { DataType } from '../dataTypes/model'
import { dataTypesOf } from '../dataTypes/queries'
import { Group } from '../groups/model'
import { groupsOf } from '../groups/queries'
import { sitesOf } from '../sites/queries'
import { StageGroup } from '../stageGroups/model'
import { stageGroupsOf } from '../stageGroups/queries'
import { Stage } from '../stages/model'
import { stagesOf } from '../stages/queries'
import { TrialFields } from '../trials/model'
import type { Trial } from '../trials/queries'
import { configurationIn, fieldsOf } from '../trials/rules'
import type { Snapshot } from './model'

const fields: Record<string, TSchema> = TrialFields.properties
/** What a locked configuration refuses to change, which the password is not among. */
const Settings = shape(Object.fromEntries(configurationIn(Object.keys(fields)).map((field) => [field, fields[field]!])))

/** What stages refer to. What else is known of a site is operational: no lock refuses to change it. */
const Site = shape({ _id: id(), name: text(2, 100), id: text(2, 100) })

const write = projector(
  shape({
    dataTypes: list(DataType),
    stages: list(Stage),
    stageGroups: list(StageGroup),
    anchors: list(Anchor),
    groups: list(Group),
    sites: list(Site),
    settings: Settings,
  }),
)

/** Everything that is configured now, as reading it answers it. Call it within the transaction it stands for. */
export function snapshotOf(db: Db, trial: Trial): Snapshot {
  const content = {
    dataTypes: dataTypesOf(db, trial._id),
    stages: stagesOf(db, trial._id),
    stageGroups: stageGroupsOf(db, trial._id),
    anchors: anchorsOf(db, trial._id),
    groups: groupsOf(db, trial._id, 'all'),
    sites: sitesOf(db, trial._id, 'all'),
    settings: fieldsOf(trial),
  }
  return { ...(write(content, { personal: () => true }) as Snapshot), consentForms: [] }
}
