import type { server as en } from '#kernel/refusals/server'
import type { TranslationOf } from '../translated'

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
  answeredLate: 'Die Antwort kam nicht rechtzeitig.',
  connectionBroke: 'Die Verbindung brach ab.',
  connectionFailed: 'Die Verbindung brach ab ({error}).',
  nameUnresolved: 'Der Name des Servers lässt sich nicht auflösen ({error}).',
  nameWithoutAddress: 'Der Name des Servers hat keine Adresse.',
  notReached: 'Der Server war nicht zu erreichen ({error}).',
  notTrusted: 'Dem Zertifikat des Servers ist nicht zu trauen, oder die Verschlüsselung kam nicht zustande ({error}).',
  sentTooMuch: 'Die Antwort war größer als {limit}.',
  tooManyCallsWait: 'Es warten schon zu viele Anfragen an diesen Dienst.',
  onlyHttps: 'Die Adresse muss mit https:// beginnen.',
  copySendsNothing:
    'Dieser Server ist eine wiederhergestellte Kopie und sendet nichts, bis er in Betrieb geht (serve --go-live).',
  webhooksOff:
    'Dieser Server sendet nichts an Webhooks: Die Verwaltung des Servers hat sie mit --no-webhooks ausgeschaltet.',
  cancelled: 'Es wurde abgebrochen.',
  tooMuchWaits: 'Es warten schon zu viele solche Arbeiten: Versuchen Sie es später noch einmal.',
  metricsClosed: 'Die Messwerte gibt es nur auf diesem Rechner oder mit TRIALBOX_METRICS_TOKEN.',
  nowOrAdvance: 'Geben Sie entweder now oder advance an.',
  clockInputMissing: 'Geben Sie now, advance oder freeze an.',
  clockBackwards: 'Die Uhr läuft nie rückwärts: Sie steht auf {now}.',
  clockEnds: 'Die Uhr endet bei {latest}.',
  clockIsBehind: 'Die Uhr des Servers zeigt {now}. Das liegt vor {newest}, als zuletzt etwas geschrieben wurde.',
} as const satisfies TranslationOf<typeof en>
