/** What each question of the built-in forms becomes in SDTM, by its code. What is not here is not mapped: docs/sdtm.md says why. */
import type { DomainName } from './variables'

/** The values of a code list by the labels of the options. */
type Values = Readonly<Record<string, string>>

/** What becomes of an answer. */
export type Target =
  /** A variable of the record of the form; `values` by label; an option that is not among them leaves it blank. */
  | { to: string; as?: 'date' | 'number'; values?: Values }
  /** Each chosen option is Y in the variable of its label. */
  | { flags: Values }
  /** A qualifier of the record: the name of 1 to 6 characters, which does not end with a digit. */
  | { supp: string; label: string }

const YES_NO: Values = { Yes: 'Y', No: 'N' }

/** Questions of forms that become one record each; of demographics all forms of a subject become one. */
export const formTargets: Record<string, { domain: DomainName; fields: Record<string, readonly Target[]> }> = {
  demographics: {
    domain: 'DM',
    fields: {
      dm_date: [{ to: 'DMDTC', as: 'date' }],
      dm_birth: [{ to: 'BRTHDTC', as: 'date' }],
      dm_age: [{ to: 'AGE', as: 'number' }],
      dm_sex: [{ to: 'SEX', values: { Female: 'F', Male: 'M', Intersex: 'INTERSEX', Unknown: 'U' } }],
      dm_gender: [{ supp: 'GENDER', label: 'Gender Identity' }],
      dm_ethnicity: [{ supp: 'ETHDES', label: 'Ethnicity as Described by Subject' }],
      dm_country: [{ supp: 'RESCTR', label: 'Country of Residence' }],
      dm_education: [{ supp: 'EDLEV', label: 'Highest Completed Education' }],
      dm_work: [{ supp: 'EMPLOY', label: 'Employment' }],
      dm_smoking: [{ supp: 'SMOKST', label: 'Smoking' }],
    },
  },
  'adverse-event': {
    domain: 'AE',
    fields: {
      ae_term: [{ to: 'AETERM' }],
      ae_start: [{ to: 'AESTDTC', as: 'date' }],
      ae_end: [{ to: 'AEENDTC', as: 'date' }],
      ae_ongoing: [{ supp: 'AEONGO', label: 'Ongoing' }],
      ae_grade: [
        { to: 'AESEV', values: { Mild: 'MILD', Moderate: 'MODERATE', Severe: 'SEVERE' } },
        { supp: 'AEGRAD', label: 'Severity as Recorded' },
      ],
      ae_serious: [{ to: 'AESER', values: YES_NO }],
      ae_criteria: [
        {
          flags: {
            'Results in death': 'AESDTH',
            'Is life-threatening': 'AESLIFE',
            'Requires inpatient hospitalisation or prolongs it': 'AESHOSP',
            'Results in persistent or significant disability or incapacity': 'AESDISAB',
            'Is a congenital anomaly or birth defect': 'AESCONG',
            'Is another important medical event': 'AESMIE',
          },
        },
      ],
      ae_related: [{ to: 'AEREL' }],
      ae_expected: [{ supp: 'AEXPCT', label: 'Expected' }],
      ae_action: [
        {
          to: 'AEACN',
          values: {
            'Dose not changed': 'DOSE NOT CHANGED',
            'Dose reduced': 'DOSE REDUCED',
            'Dose increased': 'DOSE INCREASED',
            'Drug interrupted': 'DRUG INTERRUPTED',
            'Drug withdrawn': 'DRUG WITHDRAWN',
            'Not applicable': 'NOT APPLICABLE',
            Unknown: 'UNKNOWN',
          },
        },
      ],
      ae_treated: [{ to: 'AECONTRT', values: YES_NO }],
      ae_treatment: [{ supp: 'AETRTM', label: 'Treatment Given for the Event' }],
      ae_outcome: [
        {
          to: 'AEOUT',
          values: {
            'Recovered or resolved': 'RECOVERED/RESOLVED',
            'Recovering or resolving': 'RECOVERING/RESOLVING',
            'Recovered or resolved with sequelae': 'RECOVERED/RESOLVED WITH SEQUELAE',
            'Not recovered or not resolved': 'NOT RECOVERED/NOT RESOLVED',
            Fatal: 'FATAL',
            Unknown: 'UNKNOWN',
          },
        },
      ],
      ae_comment: [{ supp: 'AECOM', label: 'Comment' }],
    },
  },
  'end-of-study': {
    domain: 'DS',
    fields: {
      ds_completed: [],
      ds_date: [{ to: 'DSSTDTC', as: 'date' }],
      ds_reason: [],
      ds_details: [{ supp: 'DSDETL', label: 'Details' }],
    },
  },
  eligibility: { domain: 'DS', fields: { ie_consent: [], ie_consent_date: [{ to: 'DSSTDTC', as: 'date' }] } },
}

/** The terms of reasons for not completing the study, by the labels of the options. */
export const reasonTerms: Values = {
  'Adverse event': 'ADVERSE EVENT',
  Death: 'DEATH',
  'Lack of efficacy': 'LACK OF EFFICACY',
  'Lost to follow-up': 'LOST TO FOLLOW-UP',
  'Physician decision': 'PHYSICIAN DECISION',
  Pregnancy: 'PREGNANCY',
  'Protocol deviation': 'PROTOCOL DEVIATION',
  'Study terminated by sponsor': 'STUDY TERMINATED BY SPONSOR',
  'Withdrawal by participant': 'WITHDRAWAL BY SUBJECT',
  Other: 'OTHER',
}

/** The columns of the table of medications. */
export const medicationColumns: Readonly<Record<string, Extract<Target, { to: string }>>> = {
  name: { to: 'CMTRT' },
  indication: { to: 'CMINDC' },
  dose: { to: 'CMDOSE', as: 'number' },
  unit: { to: 'CMDOSU' },
  frequency: {
    to: 'CMDOSFRQ',
    values: {
      Once: 'ONCE',
      'Once daily': 'QD',
      'Twice daily': 'BID',
      'Three times daily': 'TID',
      'Four times daily': 'QID',
      'Every other day': 'QOD',
      Weekly: 'WEEKLY',
      Monthly: 'QM',
      'As needed': 'PRN',
      Other: 'OTHER',
    },
  },
  route: {
    to: 'CMROUTE',
    values: {
      Oral: 'ORAL',
      Intravenous: 'INTRAVENOUS',
      Intramuscular: 'INTRAMUSCULAR',
      Subcutaneous: 'SUBCUTANEOUS',
      Inhaled: 'RESPIRATORY (INHALATION)',
      Topical: 'TOPICAL',
      Transdermal: 'TRANSDERMAL',
      Nasal: 'NASAL',
      Ophthalmic: 'OPHTHALMIC',
      Rectal: 'RECTAL',
      Other: 'OTHER',
    },
  },
  start: { to: 'CMSTDTC', as: 'date' },
  end: { to: 'CMENDTC', as: 'date' },
}

export type Measurement = { test: string; unit: string; part?: 'height' | 'weight' | 'bmi'; isDerived?: boolean }

/** The measurements of the form of vital signs, with the units of CDISC. */
export const measurements: Readonly<Record<string, readonly Measurement[]>> = {
  vs_sysbp: [{ test: 'SYSBP', unit: 'mmHg' }],
  vs_diabp: [{ test: 'DIABP', unit: 'mmHg' }],
  vs_pulse: [{ test: 'PULSE', unit: 'beats/min' }],
  vs_resp: [{ test: 'RESP', unit: 'breaths/min' }],
  vs_temp: [{ test: 'TEMP', unit: 'C' }],
  vs_oxysat: [{ test: 'OXYSAT', unit: '%' }],
  vs_map: [{ test: 'MAP', unit: 'mmHg', isDerived: true }],
  vs_bmi: [
    { test: 'HEIGHT', unit: 'cm', part: 'height' },
    { test: 'WEIGHT', unit: 'kg', part: 'weight' },
    { test: 'BMI', unit: 'kg/m2', part: 'bmi', isDerived: true },
  ],
}

export const positions: Values = { Sitting: 'SITTING', Supine: 'SUPINE', Standing: 'STANDING' }

/** Why questions of the other built-in forms are not mapped. */
export const notMapped: Readonly<Record<string, string>> = {
  'medical-history': 'The domain MH is not made yet.',
  'protocol-deviation': 'The domain DV is not made yet.',
  eligibility: 'Only the consent is mapped: the domain IE needs the list of criteria of the protocol.',
}
