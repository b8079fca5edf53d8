/** The texts of the page `/trust` in English. `{…}` are places for values; `*…*` is what a device shows on its screen. */
export const en = {
  title: 'Trust this server',
  lead: 'Your phone or tablet does not know this study server yet. Tell it once that you trust the server: then the page opens without a warning, and works without a connection too.',
  check: 'First compare these numbers',
  checkWhy:
    'Ask the study team for the fingerprint of the server, or look at the note that they gave you. Go on only if all numbers are the same.',
  fingerprint: 'Fingerprint (SHA-256)',
  until: 'Valid until {date}',
  limits: 'It can vouch for these names and networks only, and for no other site of the internet:',
  steps: 'Then follow the steps for your device',
  get: 'Get the certificate',
  ios: 'iPhone and iPad',
  iosSteps: [
    'Open this page in Safari, tap the button above, and allow the download.',
    'Open *Settings*, tap *Profile Downloaded*, then *Install*.',
    'Open *Settings › General › About › Certificate Trust Settings* and switch on the certificate of this server.',
  ],
  android: 'Android',
  androidSteps: [
    'Tap the button above to download the certificate.',
    'Open *Settings*, search for *CA certificate*, and choose *Install anyway*.',
    'Choose the downloaded file.',
  ],
  windows: 'Windows',
  windowsSteps: [
    'Download the certificate and open it.',
    'Choose *Install Certificate*, then *Current User*.',
    'Choose *Place all certificates in the following store*, then *Trusted Root Certification Authorities*.',
  ],
  mac: 'Mac',
  macSteps: [
    'Download the certificate and open it: it is added to *Keychain Access*.',
    'Open it there, and under *Trust* choose *Always Trust*.',
  ],
  firefox: 'Firefox and Linux',
  firefoxSteps: [
    'Download the certificate.',
    'In Firefox open *Settings › Privacy & Security › Certificates › View Certificates › Authorities*, and choose *Import*.',
    'Tick *Trust this CA to identify websites*.',
  ],
  managed:
    'Devices that an organisation manages get the certificate from its administrators: give them the file {file}.',
  afterwards: 'Afterwards close the browser and open the study again. No warning appears any more.',
  phone: 'Another device',
  phoneWhy: 'Point its camera at this code to open this page there.',
  notNeeded: 'Nothing to do here',
  notNeededWhy:
    'The certificate of this server comes from another authority. If your device still shows a warning, ask the study team.',
}

export type TrustTexts = typeof en
