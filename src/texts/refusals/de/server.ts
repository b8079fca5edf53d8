import type { server as en } from '#kernel/refusals/server'
import type { Translated } from '../translated'

/** Refusals about the server itself, its jobs and its test clock, in German. */
export const server = {
  notFileName: 'Darf nur aus Buchstaben, Ziffern, ., _ und - bestehen.',
  readingTakesTime:
    'Das Lesen braucht mehr als {limit} s Rechenzeit; mehr ist nicht erlaubt. Senden Sie eine kleinere Datei oder einen Teil davon.',
  readingTakesMemory:
    'Das Lesen braucht mehr als {limit} MB Arbeitsspeicher; mehr ist nicht erlaubt. Senden Sie eine kleinere Datei oder einen Teil davon.',
  readingStoppedAt: '{problem} Der letzte Schritt war: {step}',
  readingStopped:
    'Der Rechner hat das Lesen abgebrochen, wahrscheinlich weil er zu wenig Arbeitsspeicher hat. Senden Sie eine kleinere Datei oder einen Teil davon.',
  aiUnanswered: 'Der KI-Dienst hat nicht geantwortet. {detail}',
  aiStatus: 'Der KI-Dienst hat mit dem Status {status} geantwortet.',
  aiCutShort: 'Der KI-Dienst hat keine vollständige Antwort gegeben. {detail}',
  aiOtherAnswer: 'Die Antwort des KI-Dienstes hat nicht die Form von Chat Completions.',
  cancelled: 'Es wurde abgebrochen.',
  tooMuchWaits: 'Es warten schon zu viele solche Arbeiten: Versuchen Sie es später noch einmal.',
  metricsClosed: 'Die Messwerte gibt es nur auf diesem Rechner oder mit TRIALBOX_METRICS_TOKEN.',
  nowOrAdvance: 'Geben Sie entweder now oder advance an.',
  clockInputMissing: 'Geben Sie now, advance oder freeze an.',
  clockBackwards: 'Die Uhr läuft nie rückwärts: Sie steht auf {now}.',
  clockEnds: 'Die Uhr endet bei {latest}.',
  clockIsBehind: 'Die Uhr des Servers zeigt {now}. Das liegt vor {newest}, als zuletzt etwas geschrieben wurde.',
} as const satisfies Translated<typeof en>
