import type { design as en } from '#kernel/refusals/design'
import type { TranslationOf } from '../translated'

/** Refusals about what a study consists of, in German. See `src/kernel/refusals/design.ts`. */
export const design = {
  notCountryCode: 'Muss aus zwei Großbuchstaben bestehen, etwa DE.',
  notTrialCode: 'Muss 2 bis 100 Zeichen haben, ohne Leerzeichen am Anfang oder Ende.',
  languageTwice: '{language} steht zweimal in der Liste.',
  firstLanguage: 'In dieser Sprache, der ersten der Studie, sind die Texte selbst geschrieben.',
  notALanguageOfTrial: 'Die Studie hat diese Sprache nicht: Tragen Sie sie bei `languages` nach der ersten ein.',
  firstLanguageStays: 'Es gibt Übersetzungen in {language}. Deshalb muss {first} die erste Sprache bleiben.',
  firstLanguageTranslated: 'Es gibt Übersetzungen in {language}. Deshalb muss die erste Sprache eine andere sein.',
  justificationWithoutLock: '{field} gehört zum Ein- oder Ausschalten der Sperre: Senden Sie beides zusammen.',
  notACountry: '{country} ist kein Land.',
  'groupsOfOtherTrial.one': '{field} nennt {count} Gruppe, die nicht zu dieser Studie gehört.',
  'groupsOfOtherTrial.other': '{field} nennt {count} Gruppen, die nicht zu dieser Studie gehören.',
  'assigneesWithoutAccess.one':
    '{count} Person, der automatische Rückfragen zugewiesen werden, hat keinen Zugang zu dieser Studie.',
  'assigneesWithoutAccess.other':
    '{count} Personen, denen automatische Rückfragen zugewiesen werden, haben keinen Zugang zu dieser Studie.',
  logoNotUploaded: 'Das Logo ist für diese Studie nicht fertig hochgeladen.',
  'casebooksUnsigned.one':
    'Die Datenbank kann nicht gesperrt werden: {count} Prüfbogen ist nicht vollständig unterschrieben.',
  'casebooksUnsigned.other':
    'Die Datenbank kann nicht gesperrt werden: {count} Prüfbögen sind nicht vollständig unterschrieben.',
  armsStayConcealed: '„{name}“ ist versiegelt und nicht entblindet: Die Arme bleiben für Admins verborgen.',
  armsSeenAlready: '„{name}“ ist schon versiegelt, und Admins konnten die Arme sehen.',
  armsForeseeable:
    'Für „{name}“ hat jemand einen Startwert oder eine Liste vorgegeben. Entfernen Sie zuerst diese Vorgabe.',
  systemTextUnknown: 'Diesen Text gibt es nicht: GET /trials/:trialId/texts listet alle auf.',
  placeholderUnknown: 'Hier gibt es {unknown} nicht. Möglich sind: {known}.',
  placeholderWithoutAny: 'Hier gibt es {unknown} nicht. In geschweiften Klammern darf nichts stehen.',
  placeholderMissing: 'Muss {missing} enthalten.',

  sendSeparately: 'Das muss eine andere Person bestätigen: {fields}. Senden Sie {others} getrennt davon.',
  askedForAlready:
    'Das wurde schon beantragt und wartet auf die Bestätigung einer anderen Person. Wenn Sie etwas anderes beantragen möchten, ziehen Sie den Antrag zuerst zurück, oder lehnen Sie ihn ab.',
  needsOtherPerson:
    'Was Sie beantragt haben, muss eine andere Person bestätigen. Wenn das sonst niemand darf, geben Sie zuerst einer zweiten Person die Berechtigung.',
  askerNotPermitted:
    'Die Person, die das beantragt hat, hat die Berechtigung dafür nicht mehr. Jemand mit dieser Berechtigung muss es neu beantragen.',
  changedSinceAsked:
    'Das, worum es geht, wurde seit dem Antrag geändert. Lehnen Sie den Antrag ab, und stellen Sie ihn neu.',

  notAPlaceOfTrial: 'Ist weder diese Studie noch ein Studienzentrum oder eine Gruppe von ihr.',
  noPermissionOnTrial: 'Diese Berechtigung gibt es für Studien nicht: {word}.',
  noPermissionOnSite: 'Diese Berechtigung gibt es für Studienzentren nicht: {word}.',
  noPermissionOnGroup: 'Diese Berechtigung gibt es für Gruppen nicht: {word}.',
  roleOfWholeTrial: 'Diese Rolle sieht Arme, und die gehören zur ganzen Studie: Lassen Sie `places` weg.',
  roleNotHeld: 'Diese Person hat die Rolle nicht.',
  notGrantedHere: 'Wird hier nicht vergeben: {word}.',
  onlyOnWholeTrial: 'Gilt nur für die ganze Studie: {word}.',
  personWithoutPermission: '{name} hat in dieser Studie noch keine Berechtigung: Geben Sie zuerst eine.',
  personDisabled: 'Das Konto von {name} ist gesperrt.',
  personNotSetUp:
    '{name} hat das Konto noch nicht eingerichtet. Warten Sie, bis das geschehen ist: Bis dahin könnte es auch die Person einrichten, von der die Einladung kam.',
  adminsNotBlinded:
    'Die Admins dieser Studie sind nicht verblindet (blindsAdmins): Vergeben Sie diese Berechtigungen wie alle anderen.',
  grantsToOneself:
    'Niemand kann diese Berechtigungen sich selbst oder einem weiteren eigenen Konto geben. Bitten Sie eine andere Person, die Admin ist.',
  usesHiddenField:
    '{what} würde „{name}“ verwenden. Die Antworten darauf dürfen Sie nicht lesen. Nötig ist dafür: {needs:and}.',

  imageNotUploaded: 'Das Bild ist für diese Studie oder dieses Studienzentrum nicht fertig hochgeladen.',
  siteHasRecords:
    '„{name}“ kann nicht gelöscht werden. Aufbewahrt werden müssen: {records}. Setzen Sie stattdessen activityStatus auf closed.',
  someVisits: 'Monitoringbesuche',
  someDelegations: 'ein Delegationsprotokoll',
  someTrainings: 'ein Schulungsprotokoll',
  someMasterFiles: 'Dateien des Trial Master File',
  somePackEvents: 'Packungen in der Liste über ihren Verbleib',
  someAllocations: 'randomisierte Teilnehmende',
  someDispensations: 'an Teilnehmende ausgegebene Packungen',
  someSharedDevices: 'gemeinsame Tablets',

  formKeyUnknown: 'Die Studie hat kein Einwilligungsformular mit dem Schlüssel „{key}“.',
  tooManyConsentForms: 'Eine Studie hat höchstens {most} Einwilligungsformulare.',
  formHasConsents: 'Mit diesem Formular wurde schon eingewilligt. Deshalb kann es nicht gelöscht werden.',
  renamesRequiredForm:
    'Das Einwilligungsformular „{formKey}“ kann nicht umbenannt werden. Es wird hier verlangt: {by}.',
  deletesRequiredForm: 'Das Einwilligungsformular „{formKey}“ kann nicht gelöscht werden. Es wird hier verlangt: {by}.',
  settingsOfTrial: 'Einstellungen der Studie',
  noVisibleContent: 'Enthält nichts, was angezeigt werden kann.',
  needsRequiresReconsent: 'Braucht requiresReconsent: true.',
  notLettersAndDigits: 'Darf nur aus Buchstaben und Ziffern bestehen.',
  sameStatementId: 'Zwei Aussagen haben dieselbe ID.',
  namesNone: 'Braucht mindestens einen Eintrag.',
  namesOneTwice: 'Nennt etwas zweimal.',
  notAllAmong: 'Alle Einträge müssen auch in {field} stehen.',
  correctNotAnOption: '`correct` muss die Stelle einer Option sein, gezählt ab 0.',
  stageUnknown: 'Dieses Formular gibt es in dieser Studie nicht.',

  tooManyResources: 'Eine Studie hat höchstens {most} Materialien. Entfernen Sie zuerst eines.',
  resourceTypeStays: 'Aus Material vom Typ {type} kann keines vom Typ {other} werden. Fügen Sie neues hinzu.',
  onlyWithTypes: 'Ist nur beim Typ {types:or} möglich.',
  notLink: 'Muss ein Link sein, etwa https://example.org/advice.',
  notYoutubeLink: 'Muss der Link zu einem Video bei YouTube sein.',
  onlyTextHasHtml: 'Nur ein Text hat html.',
  notAVideo: 'Die Datei hat den Typ {type} und ist kein Video.',
  notUploadOfTrial: 'Die Datei ist für diese Studie nicht fertig hochgeladen.',

  contentOrFileName: 'Senden Sie entweder die Datei selbst als content, oder fileName.',
  inLine: 'Zeile {line}: {problem}',
  columnsMissing: 'Diese Spalten fehlen: {columns}.',
  moreCellsThanColumns:
    'Die Anzahl der Zellen ist {cells}, die der Spalten aber nur {columns}: Setzen Sie Texte mit Komma, Semikolon oder Tabulator in Anführungszeichen.',
  textKeyGone: 'Es gibt keinen Text mit dem Schlüssel „{key}“ mehr: Entfernen Sie die Zeile.',
  keyInOtherLine: 'Der Schlüssel „{key}“ steht auch in Zeile {line}.',

  notOwnUpload: 'Die Datei {file} ist nicht fertig hochgeladen, oder sie gehört weder diesem Team noch Ihnen.',
  documentTypeUnread: 'Die Datei „{name}“ kann nicht gelesen werden: Verwenden Sie txt, md, csv, xlsx, docx oder pdf.',
  jobEnded: 'Der Auftrag ist schon beendet.',
  jobNotCancellable: 'Dieser Auftrag ändert Daten Schritt für Schritt und kann nicht abgebrochen werden.',
  foodsUnreadable:
    'Die importierte Tabelle der Lebensmittel kann nicht gelesen werden: Importieren Sie sie noch einmal mit `trialbox food import`.',
} as const satisfies TranslationOf<typeof en>
