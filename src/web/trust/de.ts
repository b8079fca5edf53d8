import type { TrustTexts } from './en'

export const de: TrustTexts = {
  title: 'Diesem Server vertrauen',
  lead: 'Ihr Telefon oder Tablet kennt diesen Studienserver noch nicht. Sagen Sie ihm einmal, dass Sie dem Server vertrauen: Dann öffnet sich die Seite ohne Warnung und funktioniert auch ohne Verbindung.',
  check: 'Vergleichen Sie zuerst diese Zahlen',
  checkWhy:
    'Fragen Sie das Studienteam nach dem Fingerabdruck des Servers, oder sehen Sie auf den Zettel, den Sie bekommen haben. Fahren Sie nur fort, wenn alle Zahlen gleich sind.',
  fingerprint: 'Fingerabdruck (SHA-256)',
  until: 'Gültig bis {date}',
  limits: 'Es kann nur für diese Namen und Netze bürgen, und für keine andere Seite im Internet:',
  steps: 'Folgen Sie dann den Schritten für Ihr Gerät',
  get: 'Zertifikat laden',
  ios: 'iPhone und iPad',
  iosSteps: [
    'Öffnen Sie diese Seite in Safari, tippen Sie oben auf die Schaltfläche und erlauben Sie das Laden.',
    'Öffnen Sie *Einstellungen*, tippen Sie auf *Profil geladen* und dann auf *Installieren*.',
    'Öffnen Sie *Einstellungen › Allgemein › Info › Zertifikatsvertrauenseinstellungen* und schalten Sie das Zertifikat dieses Servers ein.',
  ],
  android: 'Android',
  androidSteps: [
    'Tippen Sie oben auf die Schaltfläche, um das Zertifikat zu laden.',
    'Öffnen Sie die *Einstellungen*, suchen Sie nach *CA-Zertifikat* und wählen Sie *Trotzdem installieren*.',
    'Wählen Sie die geladene Datei.',
  ],
  windows: 'Windows',
  windowsSteps: [
    'Laden Sie das Zertifikat und öffnen Sie es.',
    'Wählen Sie *Zertifikat installieren*, dann *Aktueller Benutzer*.',
    'Wählen Sie *Alle Zertifikate in folgendem Speicher speichern*, dann *Vertrauenswürdige Stammzertifizierungsstellen*.',
  ],
  mac: 'Mac',
  macSteps: [
    'Laden Sie das Zertifikat und öffnen Sie es: Es kommt in die *Schlüsselbundverwaltung*.',
    'Öffnen Sie es dort und wählen Sie unter *Vertrauen* die Einstellung *Immer vertrauen*.',
  ],
  firefox: 'Firefox und Linux',
  firefoxSteps: [
    'Laden Sie das Zertifikat.',
    'Öffnen Sie in Firefox *Einstellungen › Datenschutz & Sicherheit › Zertifikate › Zertifikate anzeigen › Zertifizierungsstellen* und wählen Sie *Importieren*.',
    'Setzen Sie den Haken bei *Dieser CA vertrauen, um Websites zu identifizieren*.',
  ],
  managed:
    'Geräte, die eine Organisation verwaltet, bekommen das Zertifikat von deren IT-Abteilung: Geben Sie ihr die Datei {file}.',
  afterwards: 'Schließen Sie danach den Browser und öffnen Sie die Studie neu. Es erscheint keine Warnung mehr.',
  phone: 'Ein anderes Gerät',
  phoneWhy: 'Richten Sie dessen Kamera auf diesen Code, um diese Seite dort zu öffnen.',
  notNeeded: 'Hier ist nichts zu tun',
  notNeededWhy:
    'Das Zertifikat dieses Servers kommt von einer anderen Stelle. Wenn Ihr Gerät trotzdem warnt, fragen Sie das Studienteam.',
}
