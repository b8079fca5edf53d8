/** Every file of `data/questionnaires`, compiled into the executable. */
import adverseEvent from '../../../data/questionnaires/adverse-event.json'
import audit from '../../../data/questionnaires/audit.json'
import auditC from '../../../data/questionnaires/audit-c.json'
import barthel from '../../../data/questionnaires/barthel.json'
import cage from '../../../data/questionnaires/cage.json'
import cesD from '../../../data/questionnaires/ces-d.json'
import cgi from '../../../data/questionnaires/cgi.json'
import concomitantMedication from '../../../data/questionnaires/concomitant-medication.json'
import demographics from '../../../data/questionnaires/demographics.json'
import ecog from '../../../data/questionnaires/ecog.json'
import eligibility from '../../../data/questionnaires/eligibility.json'
import endOfStudy from '../../../data/questionnaires/end-of-study.json'
import esasR from '../../../data/questionnaires/esas-r.json'
import flourishing from '../../../data/questionnaires/flourishing.json'
import gad2 from '../../../data/questionnaires/gad-2.json'
import gad7 from '../../../data/questionnaires/gad-7.json'
import gds15 from '../../../data/questionnaires/gds-15.json'
import hrqol4 from '../../../data/questionnaires/hrqol-4.json'
import ipaqShort from '../../../data/questionnaires/ipaq-short.json'
import k6 from '../../../data/questionnaires/k6.json'
import k10 from '../../../data/questionnaires/k10.json'
import karnofsky from '../../../data/questionnaires/karnofsky.json'
import medicalHistory from '../../../data/questionnaires/medical-history.json'
import mmrcDyspnoea from '../../../data/questionnaires/mmrc-dyspnoea.json'
import mrcDyspnoea from '../../../data/questionnaires/mrc-dyspnoea.json'
import nihss from '../../../data/questionnaires/nihss.json'
import nrsPain from '../../../data/questionnaires/nrs-pain.json'
import pcPtsd5 from '../../../data/questionnaires/pc-ptsd-5.json'
import pcl5 from '../../../data/questionnaires/pcl-5.json'
import phq2 from '../../../data/questionnaires/phq-2.json'
import phq4 from '../../../data/questionnaires/phq-4.json'
import phq8 from '../../../data/questionnaires/phq-8.json'
import phq9 from '../../../data/questionnaires/phq-9.json'
import phq15 from '../../../data/questionnaires/phq-15.json'
import protocolDeviation from '../../../data/questionnaires/protocol-deviation.json'
import rand36 from '../../../data/questionnaires/rand-36.json'
import rosenberg from '../../../data/questionnaires/rosenberg.json'
import spane from '../../../data/questionnaires/spane.json'
import swls from '../../../data/questionnaires/swls.json'
import vitalSigns from '../../../data/questionnaires/vital-signs.json'
import who5 from '../../../data/questionnaires/who-5.json'
import type { Questionnaire } from './model'

/** In the order of the list. A test checks that each file is a `Questionnaire`; the types of JSON imports are too wide. */
const files: readonly object[] = [
  phq9,
  phq8,
  phq2,
  gad7,
  gad2,
  phq4,
  phq15,
  who5,
  audit,
  auditC,
  cage,
  k10,
  k6,
  pcl5,
  pcPtsd5,
  cesD,
  gds15,
  rosenberg,
  swls,
  flourishing,
  spane,
  mrcDyspnoea,
  mmrcDyspnoea,
  ecog,
  karnofsky,
  nrsPain,
  esasR,
  barthel,
  cgi,
  hrqol4,
  rand36,
  ipaqShort,
  nihss,
  adverseEvent,
  concomitantMedication,
  vitalSigns,
  demographics,
  eligibility,
  medicalHistory,
  protocolDeviation,
  endOfStudy,
]

/** By id, in the order of the list. */
export const questionnaires: ReadonlyMap<string, Questionnaire> = new Map(
  (files as readonly Questionnaire[]).map((each) => [each.id, each]),
)
