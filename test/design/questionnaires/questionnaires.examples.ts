/**
 * Worked examples of the built-in questionnaires: lowest, highest and mixed answers with the results written out. Those of
 * the CDC (HRQOL-4), RAND and IPAQ follow their scoring instructions.
 */
import {
  all,
  audit,
  barthel,
  type Example,
  each,
  esas,
  grades,
  healthyDays,
  ipaq,
  nihss,
  pcl5,
  rand,
  spane,
  sums,
} from './questionnaires.examples.shared'

export const examples: Record<string, Example[]> = {
  'phq-9': sums('phq9', [all(0, 9), 0], [all(3, 9), 27], [[1, 2, 3, 0, 1, 2, 0, 1, 0], 10]),
  'phq-8': sums('phq8', [all(0, 8), 0], [all(3, 8), 24], [[0, 1, 2, 3, 0, 1, 2, 3], 12]),
  'phq-2': sums('phq2', [[0, 0], 0], [[3, 3], 6], [[1, 2], 3]),
  'gad-7': sums('gad7', [all(0, 7), 0], [all(3, 7), 21], [[3, 2, 1, 0, 3, 2, 1], 12]),
  'gad-2': sums('gad2', [[0, 0], 0], [[3, 3], 6], [[0, 3], 3]),
  'phq-4': [
    ...sums('phq4', [all(0, 4), 0], [all(3, 4), 12]),
    { answers: { phq4: [2, 1, 0, 1] }, score: 4, values: { phq4_total: 4, phq4_anxiety: 3, phq4_depression: 1 } },
  ],
  'phq-15': sums('phq15', [all(0, 15), 0], [all(2, 15), 30], [[2, 1, 0, null, 2, 1, 0, 0, 1, 2, null, 1, 2, 2, 1], 15]),
  'who-5': [
    { answers: { who5: all(0, 5) }, score: 0, values: { who5_raw: 0, who5_total: 0 } },
    { answers: { who5: all(5, 5) }, score: 100, values: { who5_raw: 25, who5_total: 100 } },
    { answers: { who5: [3, 2, 4, 1, 3] }, score: 52, values: { who5_raw: 13, who5_total: 52 } },
  ],
  audit: [
    audit({ audit_q1: 0, audit_q9: 0, audit_q10: 0 }, [0, 0, 0, 0]),
    audit(each('audit', all(4, 10)), [40, 12, 12, 16]),
    audit(each('audit', [3, 1, 2, 1, 0, 0, 1, 1, 2, 4]), [15, 6, 1, 8]),
    audit({ audit_q1: 0, audit_q9: 2, audit_q10: 2 }, [4, 0, 0, 4]),
  ],
  'audit-c': [
    { answers: { auditc_q1: 0 }, score: 0, values: { auditc_total: 0 } },
    { answers: each('auditc', [4, 4, 4]), score: 12, values: { auditc_total: 12 } },
    { answers: each('auditc', [2, 1, 0]), score: 3, values: { auditc_total: 3 } },
  ],
  cage: sums('cage', [all(0, 4), 0], [all(1, 4), 4], [[1, 0, 1, 0], 2]),
  k10: sums('k10', [all(1, 10), 10], [all(5, 10), 50], [[1, 2, 3, 4, 5, 1, 2, 3, 4, 4], 29]),
  k6: sums('k6', [all(0, 6), 0], [all(4, 6), 24], [[1, 2, 3, 4, 0, 3], 13]),
  'pcl-5': [
    pcl5(all(0, 20), [0, 0, 0, 0, 0, 0]),
    pcl5(all(4, 20), [80, 20, 8, 28, 24, 1]),
    pcl5([2, 0, 0, 0, 0, 2, 0, 2, 2, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0], [12, 2, 2, 4, 4, 1]),
    pcl5([2, 0, 0, 0, 0, 2, 0, 2, 2, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0], [11, 2, 2, 4, 3, 0]),
    pcl5([4, 4, 4, 4, 4, 1, 1, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4], [74, 20, 2, 28, 24, 0]),
  ],
  'pc-ptsd-5': [
    { answers: { pcptsd5_event: 0 }, score: 0, values: { pcptsd5_total: 0 } },
    { answers: { pcptsd5_event: 1, pcptsd5: all(1, 5) }, score: 5, values: { pcptsd5_total: 5 } },
    { answers: { pcptsd5_event: 1, pcptsd5: [1, 0, 1, 1, 0] }, score: 3, values: { pcptsd5_total: 3 } },
  ],
  'ces-d': sums(
    'cesd',
    [[0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 0], 0],
    [[3, 3, 3, 0, 3, 3, 3, 0, 3, 3, 3, 0, 3, 3, 3, 0, 3, 3, 3, 3], 60],
    [all(0, 20), 12],
    [all(3, 20), 48],
    [all(1, 20), 24],
  ),
  'gds-15': sums(
    'gds15',
    [[1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0], 0],
    [[0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1], 15],
    [all(1, 15), 10],
    [all(0, 15), 5],
  ),
  rosenberg: sums(
    'rses',
    [[0, 3, 0, 0, 3, 3, 0, 3, 3, 0], 0],
    [[3, 0, 3, 3, 0, 0, 3, 0, 0, 3], 30],
    [[3, 1, 2, 2, 0, 1, 3, 2, 0, 2], 23],
  ),
  swls: sums('swls', [all(1, 5), 5], [all(7, 5), 35], [[6, 5, 6, 4, 2], 23]),
  flourishing: sums('fs', [all(1, 8), 8], [all(7, 8), 56], [[7, 6, 6, 5, 6, 7, 5, 6], 48]),
  spane: [
    spane([1, 5, 1, 5, 1, 5, 1, 5, 5, 1, 5, 1], [6, 30, -24]),
    spane([5, 1, 5, 1, 5, 1, 5, 1, 1, 5, 1, 5], [30, 6, 24]),
    spane([4, 2, 4, 1, 3, 2, 5, 3, 1, 4, 2, 4], [24, 11, 13]),
    spane(all(3, 12), [18, 18, 0]),
  ],
  'mrc-dyspnoea': grades('mrc', 1, 5, 3),
  'mmrc-dyspnoea': grades('mmrc', 0, 4, 2),
  ecog: grades('ecog', 0, 5, 1),
  karnofsky: grades('kps', 0, 100, 70),
  'nrs-pain': [0, 10, 4].map((pain) => ({
    answers: { nrs_pain: pain },
    score: pain,
    values: { nrs_pain_score: pain },
  })),
  'esas-r': [esas(all(0, 9), 0), esas(all(10, 9), 90), esas([3, 5, 2, 0, 4, 1, 2, 3, 4], 24)],
  barthel: [
    barthel(all(0, 10), 0),
    barthel([10, 5, 5, 10, 10, 10, 10, 15, 15, 10], 100),
    barthel([5, 0, 5, 5, 10, 5, 5, 10, 10, 5], 60),
  ],
  cgi: [
    { answers: { cgi_s: 1 }, score: 1, values: { cgi_severity: 1, cgi_improvement: null } },
    { answers: { cgi_s: 7, cgi_i: 7 }, score: 7, values: { cgi_severity: 7, cgi_improvement: 7 } },
    { answers: { cgi_s: 4, cgi_i: 2 }, score: 4, values: { cgi_severity: 4, cgi_improvement: 2 } },
  ],
  'hrqol-4': [healthyDays(0, 0, 0), healthyDays(4, 2, 6), healthyDays(30, 30, 30), healthyDays(20, 15, 30)],
  'rand-36': [
    rand(
      { 1: 5, 2: 5, 20: 5, 21: 6, 22: 5, 32: 1 },
      [all(1, 10), all(1, 4), all(1, 3), [6, 1, 1, 6, 6, 1, 1, 6, 1], [1, 5, 1, 5]],
      all(0, 9),
    ),
    rand(
      { 1: 1, 2: 1, 20: 1, 21: 1, 22: 1, 32: 5 },
      [all(3, 10), all(2, 4), all(2, 3), [1, 6, 6, 1, 1, 6, 6, 1, 6], [5, 1, 5, 1]],
      all(100, 9),
    ),
    rand(
      { 1: 3, 2: 3, 20: 2, 21: 3, 22: 2, 32: 4 },
      [
        [1, 2, 2, 2, 3, 2, 1, 2, 3, 3],
        [1, 2, 1, 2],
        [2, 2, 1],
        [4, 3, 5, 3, 3, 4, 3, 2, 4],
        [4, 2, 3, 2],
      ],
      [55, 50, 66.7, 50, 64, 75, 67.5, 65, 50],
    ),
  ],
  'ipaq-short': [
    ipaq({ days: 0 }, { days: 0 }, { days: 0 }, { ipaq_total: 0, ipaq_category: 1, ipaq_sitting: null }),
    ipaq(
      { days: 5, m: 30 },
      { days: 5, m: 30 },
      { days: 5, m: 30 },
      { ipaq_vig_met: 1200, ipaq_mod_met: 600, ipaq_walk_met: 495, ipaq_total: 2295, ipaq_category: 2 },
    ),
    // Twelve hours count as three; as reported they would make the category high.
    ipaq(
      { days: 0 },
      { days: 1, h: 12 },
      { days: 6, m: 10 },
      { ipaq_mod_met: 720, ipaq_walk_met: 198, ipaq_total: 918, ipaq_category: 2 },
    ),
    ipaq({ days: 3, h: 1, m: 5 }, { days: 0 }, { days: 0 }, { ipaq_total: 1560, ipaq_category: 3 }),
    ipaq({ days: 3, m: 20 }, { days: 0 }, { days: 0 }, { ipaq_total: 480, ipaq_category: 2 }),
    ipaq({ days: 7, h: 3 }, { days: 7, h: 3 }, { days: 7, h: 3 }, { ipaq_total: 19278, ipaq_category: 3 }),
    ipaq({ days: 0 }, { days: 2, m: 9 }, { days: 4, m: 30 }, { ipaq_total: 396, ipaq_category: 1 }),
    ipaq({ days: 0 }, { days: 2, m: 30 }, { days: 3, m: 30 }, { ipaq_total: 537, ipaq_category: 2 }),
    ipaq({ days: 2 }, { days: 0 }, { days: 0 }, { ipaq_total: null, ipaq_category: null }),
    ipaq({ days: 1, h: 6 }, { days: 1, h: 6 }, { days: 1, h: 5 }, { ipaq_total: null, ipaq_category: null }),
  ],
  nihss: [
    nihss(all(0, 15), 0),
    nihss([3, 2, 2, 2, 3, 3, 4, 4, 4, 4, 2, 2, 3, 2, 2], 42),
    nihss([1, 0, 0, 0, 0, 2, 3, 0, 2, 'UN', 0, 0, 1, 1, 0], 10),
  ],
  'vital-signs': [
    {
      answers: { vs_time: '2026-03-02T09:00:00Z', vs_sysbp: 120, vs_diabp: 80, vs_pulse: 70 },
      values: { vs_map: 93.3 },
    },
  ],
  demographics: [
    {
      answers: { dm_date: '2026-03-01T00:00:00Z', dm_birth: '1980-03-02T00:00:00Z', dm_sex: 'F' },
      values: { dm_age: 45 },
    },
  ],
  eligibility: [
    {
      answers: {
        ie_consent: 1,
        ie_consent_date: '2026-03-01T00:00:00Z',
        ie_included: 1,
        ie_excluded: 0,
        ie_by: 'Dr Wolf',
        ie_date: '2026-03-01T00:00:00Z',
      },
      score: 1,
      values: { ie_eligible: 1 },
    },
    {
      answers: {
        ie_consent: 0,
        ie_included: 0,
        ie_included_not: 'Age',
        ie_excluded: 1,
        ie_excluded_by: 'Pregnancy',
        ie_by: 'Dr Wolf',
        ie_date: '2026-03-01T00:00:00Z',
      },
      score: 0,
      values: { ie_eligible: 0 },
    },
  ],
  'adverse-event': [
    {
      answers: {
        ae_term: 'Headache',
        ae_start: '2026-03-01T00:00:00Z',
        ae_ongoing: 1,
        ae_grade: 1,
        ae_serious: 0,
        ae_related: 2,
        ae_action: 1,
        ae_treated: 0,
        ae_outcome: 4,
      },
      values: { ae_end: null, ae_criteria: null, ae_treatment: null },
    },
  ],
  'concomitant-medication': [
    { answers: { cm_any: 0 }, values: { cm_list: null } },
    { answers: { cm_any: 1, cm_list: [{ name: 'Aspirin', dose: 100 }] }, values: {} },
  ],
  'medical-history': [{ answers: { mh_any: 1, mh_list: [{ condition: 'Asthma' }] }, values: {} }],
  'protocol-deviation': [
    {
      answers: { dv_term: 'Visit missed', dv_category: 5, dv_importance: 0, dv_date: '2026-03-01T00:00:00Z' },
      values: {},
    },
  ],
  'end-of-study': [{ answers: { ds_completed: 1, ds_date: '2026-03-01T00:00:00Z' }, values: { ds_reason: null } }],
}
