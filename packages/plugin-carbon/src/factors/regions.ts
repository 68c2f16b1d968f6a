import type { CloudProvider } from '@bylaw/core/workload';

/**
 * Region → zone of Electricity Maps in which it lies: column em-zone-id of the Cloud Region Metadata of the Green Software Foundation
 * (github.com/Green-Software-Foundation/real-time-cloud, commit 06796bf1). Regions that it does not have we placed ourselves, by the place that their
 * provider names. `regions.test.ts` holds the regions of Google to the intensities that Google publishes for them.
 */
const AWS = `
  us-east-1 US-MIDA-PJM, us-east-2 US-MIDA-PJM, us-west-1 US-CAL-CISO, us-west-2 US-NW-BPAT, us-gov-east-1 US-MIDA-PJM, us-gov-west-1 US-NW-BPAT,
  ca-central-1 CA-QC, ca-west-1 CA-AB, mx-central-1 MX, sa-east-1 BR-CS, eu-west-1 IE, eu-west-2 GB, eu-west-3 FR, eu-central-1 DE, eu-central-2 CH,
  eu-north-1 SE-SE3, eu-south-1 IT-NO, eu-south-2 ES, eusc-de-east-1 DE, af-south-1 ZA, me-south-1 BH, me-central-1 AE, il-central-1 IL,
  ap-east-1 HK, ap-east-2 TW, ap-south-1 IN-WE, ap-south-2 IN-SO, ap-northeast-1 JP-TK, ap-northeast-2 KR, ap-northeast-3 JP-KN,
  ap-southeast-1 SG, ap-southeast-2 AU-NSW, ap-southeast-3 ID, ap-southeast-4 AU-VIC, ap-southeast-5 MY-WM, ap-southeast-6 NZ, ap-southeast-7 TH,
  cn-north-1 CN, cn-northwest-1 CN`;

const GCP = `
  us-central1 US-MIDW-MISO, us-central2 US-CENT-SWPP, us-east1 US-CAR-SC, us-east2 US-SE-SOCO, us-east4 US-MIDA-PJM, us-east5 US-MIDA-PJM,
  us-east7 US-TEN-TVA, us-south1 US-TEX-ERCO, us-west1 US-NW-BPAT,
  us-west2 US-CAL-CISO, us-west3 US-NW-PACE, us-west4 US-NW-NEVP, northamerica-northeast1 CA-QC, northamerica-northeast2 CA-ON,
  northamerica-south1 MX, southamerica-east1 BR-CS, southamerica-west1 CL-SEN, europe-west1 BE, europe-west2 GB, europe-west3 DE, europe-west4 NL,
  europe-west6 CH, europe-west8 IT-NO, europe-west9 FR, europe-west10 DE, europe-west12 IT-NO, europe-north1 FI, europe-north2 SE-SE3,
  europe-central2 PL, europe-southwest1 ES, asia-east1 TW, asia-east2 HK, asia-northeast1 JP-TK, asia-northeast2 JP-KN, asia-northeast3 KR,
  asia-south1 IN-WE, asia-south2 IN-NO, asia-southeast1 SG, asia-southeast2 ID, asia-southeast3 TH, australia-southeast1 AU-NSW,
  australia-southeast2 AU-VIC, me-central1 QA, me-central2 SA, me-west1 IL, africa-south1 ZA`;

const AZURE = `
  eastus US-MIDA-PJM, eastus2 US-MIDA-PJM, centralus US-MIDW-MISO, northcentralus US-MIDA-PJM, southcentralus US-TEX-ERCO, westcentralus US-NW-WACM,
  westus US-CAL-CISO, westus2 US-NW-GCPD, westus3 US-SW-SRP, canadacentral CA-ON, canadaeast CA-QC, mexicocentral MX, brazilsouth BR-CS,
  brazilsoutheast BR-CS, chilecentral CL-SEN, northeurope IE, westeurope NL, uksouth GB, ukwest GB, francecentral FR, francesouth FR,
  germanywestcentral DE, germanynorth DE, switzerlandnorth CH, switzerlandwest CH, norwayeast NO-NO1, norwaywest NO-NO2, swedencentral SE-SE3,
  swedensouth SE-SE4, polandcentral PL, spaincentral ES, italynorth IT-NO, austriaeast AT, uaenorth AE, uaecentral AE, qatarcentral QA,
  israelcentral IL, southafricanorth ZA, southafricawest ZA, eastasia HK, southeastasia SG, japaneast JP-TK, japanwest JP-KN, koreacentral KR,
  koreasouth KR, australiaeast AU-NSW, australiasoutheast AU-VIC, australiacentral AU-NSW, australiacentral2 AU-NSW, newzealandnorth NZ,
  eastus3 US-SE-SOCO, usgovvirginia US-MIDA-PJM, usgovarizona US-SW-SRP, usgovtexas US-TEX-ERCO, usdodeast US-MIDA-PJM, usdodcentral US-MIDW-MISO,
  belgiumcentral BE, denmarkeast DK-DK2, finlandcentral FI, taiwannorth TW, taiwannorthwest TW, malaysiasouth MY-WM, indiasouthcentral IN-SO,
  chinaeast CN, chinaeast2 CN, chinaeast3 CN, chinanorth CN, chinanorth2 CN, chinanorth3 CN,
  centralindia IN-WE, southindia IN-SO, westindia IN-WE, jioindiawest IN-WE, jioindiacentral IN-WE, indonesiacentral ID, malaysiawest MY-WM`;

const REGIONS: { readonly [provider in CloudProvider]: ReadonlyMap<string, string> } = {
  aws: tableOf(AWS),
  gcp: tableOf(GCP),
  azure: tableOf(AZURE),
};

/** The zone of a region, also of one of its availability zones (`eu-west-1a`, `europe-west1-b`) or its display name (`West Europe`). */
export function zoneOfRegion(provider: CloudProvider, region: string): string | undefined {
  const regions = REGIONS[provider];
  const name = regionName(provider, region);
  return regions.get(name) ?? regions.get(name.replace(/-?[a-z]$/, ''));
}

/** All regions that are known, sorted. */
export function knownRegions(provider: CloudProvider): string[] {
  return [...REGIONS[provider].keys()].sort();
}

function regionName(provider: CloudProvider, region: string): string {
  const name = region.trim().toLowerCase();
  if (provider !== 'azure') return name;
  const compact = name.replaceAll(/[\s_-]/g, '');
  // `Germany West Central` and the short `us east` of the consumption API.
  return compact.replace(/^us((?:north|south)?(?:east|west|central)(?:central)?)(\d?)$/, '$1us$2');
}

function tableOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .trim()
      .split(/,\s*/)
      .map((entry) => {
        const [region = '', zone = ''] = entry.split(' ');
        return [region, zone];
      }),
  );
}
