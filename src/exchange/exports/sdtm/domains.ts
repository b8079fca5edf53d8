/** The datasets of an export in the shape of SDTM: the domains, and SUPPQUAL of each. */
import { type DomainName, type DomainVariable, STUDYID, text, USUBJID, variablesOf } from './variables'

/** A record of answers that have no variable, or of the rest of a text of more than 200 bytes. */
export const suppVariables: readonly DomainVariable[] = [
  STUDYID,
  text('R', 'RDOMAIN', 'Related Domain Abbreviation', 'Assigned'),
  USUBJID,
  text('E', 'IDVAR', 'Identifying Variable', 'Assigned'),
  text('E', 'IDVARVAL', 'Identifying Variable Value', 'Assigned'),
  text('R', 'QNAM', 'Qualifier Variable Name', 'Assigned'),
  text('R', 'QLABEL', 'Qualifier Variable Label', 'Assigned'),
  text('R', 'QVAL', 'Data Value', 'Investigator'),
  text('R', 'QORIG', 'Origin', 'Assigned'),
  text('E', 'QEVAL', 'Evaluator', 'Assigned'),
]

export type Domain = {
  name: DomainName
  label: string
  className: 'SPECIAL PURPOSE' | 'EVENTS' | 'INTERVENTIONS' | 'FINDINGS'
  structure: string
  /** The variables that tell records apart, in the order of the records. */
  keys: readonly string[]
  variables: readonly DomainVariable[]
}

const domain = (
  name: DomainName,
  label: string,
  className: Domain['className'],
  structure: string,
  ...keys: string[]
): Domain => ({
  name,
  label,
  className,
  structure,
  keys: ['STUDYID', 'USUBJID', ...keys],
  variables: variablesOf[name],
})

export const domains: Record<DomainName, Domain> = {
  DM: domain('DM', 'Demographics', 'SPECIAL PURPOSE', 'One record per subject'),
  SV: domain('SV', 'Subject Visits', 'SPECIAL PURPOSE', 'One record per actual visit per subject', 'VISITNUM'),
  DS: domain('DS', 'Disposition', 'EVENTS', 'One record per disposition status or milestone per subject', 'DSSEQ'),
  AE: domain('AE', 'Adverse Events', 'EVENTS', 'One record per adverse event per subject', 'AESEQ'),
  CM: domain(
    'CM',
    'Concomitant Medications',
    'INTERVENTIONS',
    'One record per medication per form per subject',
    'CMSEQ',
  ),
  VS: domain('VS', 'Vital Signs', 'FINDINGS', 'One record per measurement per form per subject', 'VSSEQ'),
  QS: domain('QS', 'Questionnaires', 'FINDINGS', 'One record per question per form per subject', 'QSSEQ'),
}
