import type { wearables as en } from '#kernel/refusals/wearables'
import type { TranslationOf } from '../translated'

/** Refusals about wearables and food diaries, in German. */
export const wearables = {
  // Accounts at providers
  leftNotConnected: 'Sie nehmen an dieser Studie nicht mehr teil. Deshalb kann nichts mehr verbunden werden.',
  serviceNotUsed: 'Die Studie verwendet {service} bei Ihnen nicht.',
  serviceNotConfigured:
    'Dieser Server ist nicht dafür eingerichtet, Konten von {service} zu verbinden. Eine Datei, die dort heruntergeladen wurde, kann importiert werden.',
  noPendingSignIn: 'In der letzten Stunde wurde keine Anmeldung bei {service} begonnen. Beginnen Sie eine neue.',
  stateMissing:
    'Senden Sie `state`, so wie der Anbieter es zurückgeschickt hat: Ohne das findet der Server die Anmeldung nicht.',
  otherPendingSignIn: 'Die Antwort gehört zu einer anderen Anmeldung. Beginnen Sie sie noch einmal.',
  signInReplaced: 'Inzwischen wurde eine andere Anmeldung begonnen. Machen Sie mit dieser weiter.',
  serviceSignInFailed: '{service} hat die Anmeldung nicht angenommen. Beginnen Sie sie noch einmal.',
  serviceFails: '{service} kann im Moment nicht benutzt werden. {problem} Versuchen Sie es später noch einmal.',
  callFailed: '{detail}',
  providerTooMany: 'Der Dienst nimmt vorerst keine weiteren Anfragen an.',
  providerAnswered: 'Der Dienst hat mit dem Status {status} geantwortet.',
  providerNotJson: 'Der Dienst hat etwas geschickt, das kein JSON ist.',
  signInEnded: 'Der Dienst nimmt diese Anmeldung nicht mehr an.',
  signInNotAccepted: 'Der Dienst nimmt diese Anmeldung nicht an.',
  newTokensFail: 'Der Dienst nimmt neue Token nicht an.',
  noTokens: 'Der Dienst gibt keine Token heraus.',
  tokensRefused: 'Der Dienst gibt keine Token heraus ({error}).',
  tokensMissing: 'Der Dienst hat keine Token geschickt.',
  noRefresh: 'Ohne eine neue Anmeldung geht es bei diesem Dienst nicht weiter.',
  tooManyAtOnce: 'Der Dienst hat mehr als {most} Datensätze auf einmal geschickt.',
  connectionChanged: 'Die Verbindung wurde inzwischen geändert.',
  tooManyReadings: 'Der Tag {day} hätte mehr als {most} Glukosewerte.',

  // Files that providers export
  leftNotImported: 'Sie nehmen an dieser Studie nicht mehr teil. Deshalb wird nichts mehr importiert.',
  notUploadedForParticipant: 'Die Datei wurde für diese teilnehmende Person nicht oder nicht vollständig hochgeladen.',
  nothingToKeep: 'Die Datei enthält nichts, was die Studie speichert.',
  tooManyRecords: 'Die Datei hat {records} Datensätze; auf einmal sind {most} möglich. Senden Sie sie in Teilen.',
  partTooLarge: '{name} ist größer als {limit} MB.',
  partNotUnicode: '{name} ist kein gültiges Unicode.',
  partNotJson: '{name} ist kein JSON.',
  partNotList: '{name} ist keine Liste.',
  notAppleHealth: 'Das ist kein Export von Apple Health: Er enthält keine export.xml.',
  noHealthData: 'Das ist kein Export von Apple Health: Er enthält kein HealthData.',
  elementTooLong: 'Die Datei enthält ein Element, das zu lang ist.',
  notOneDexcomFile: 'Senden Sie die eine csv-Datei, die Dexcom Clarity exportiert.',
  notDexcom: 'Das ist keine csv-Datei von Dexcom Clarity: Ihr fehlen deren Spalten.',
  notFitbit: 'Das ist kein Export von Fitbit: Er enthält keine Dateien wie steps-2026-03-01.json.',
  notFitbitCsv: 'Das ist keine csv-Datei von Fitbit mit Tagen unter dem Titel Activities.',
  notGarmin: 'Das ist kein Export von Garmin: Er enthält keine Dateien wie UDSFile_….json.',
  notHealthConnect: 'Das ist kein Export von Health Connect: Er enthält keine Datenbank.',
  noHealthConnectTables:
    'Das ist kein Export von Health Connect: Seine Datenbank hat keine der Tabellen, die dazugehören.',
  damagedHealthConnect: 'Die Datenbank im Export von Health Connect ist beschädigt.',
  databaseTooLarge: 'Die Datenbank ist größer als {limit} MB.',

  // Food diaries
  foodDiariesOff: 'Ernährungstagebücher sind für diese Studie ausgeschaltet (foodDiariesEnabled).',
  noSuchFood: 'Es gibt kein Lebensmittel mit dieser foodId: Wählen Sie eines aus, das die Suche gefunden hat.',
  notFoodId: 'Muss die foodId eines Lebensmittels sein, das die Suche gefunden hat.',
  entryOfTeam: 'Diesen Eintrag hat das Studienteam gemacht: Bitten Sie das Team, ihn zu ändern.',
  dayToCome: 'Der Tag {date} kommt erst noch: In ein Tagebuch gehört, was gegessen wurde.',
  notedInFuture: 'Ein Eintrag kann nicht in der Zukunft notiert worden sein.',
  dateOrRange: 'Geben Sie entweder date an, oder from und to.',
} as const satisfies TranslationOf<typeof en>
