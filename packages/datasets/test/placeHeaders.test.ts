import {describe, expect, it} from 'vitest';
import {readPoints, type LoadedPoints} from '../src/index.ts';

/** Headers of public data sets, the latitude and the longitude, and the delimiter if it is not a comma. */
const HEADERS: readonly (readonly [set: string, header: string, lat: string, lon: string])[] = [
  ['USGS earthquakes', 'time,latitude,longitude,depth,mag,magType,nst,gap,dmin,rms,net,id', 'latitude', 'longitude'],
  ['NASA meteorites', 'name,id,nametype,recclass,mass (g),fall,year,reclat,reclong,GeoLocation', 'reclat', 'reclong'],
  ['NASA FIRMS', 'latitude,longitude,brightness,scan,track,acq_date,acq_time,confidence', 'latitude', 'longitude'],
  ['GTFS stops', 'stop_id,stop_code,stop_name,stop_lat,stop_lon,zone_id,location_type', 'stop_lat', 'stop_lon'],
  ['GTFS shapes', 'shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence', 'shape_pt_lat', 'shape_pt_lon'],
  ['GBIF', 'gbifID,species,decimalLatitude,decimalLongitude,eventDate', 'decimalLatitude', 'decimalLongitude'],
  ['eBird', 'LOCALITY ID,LATITUDE,LONGITUDE,OBSERVATION DATE,OBSERVER ID', 'LATITUDE', 'LONGITUDE'],
  ['iNaturalist', 'id,observed_on,latitude,longitude,positional_accuracy', 'latitude', 'longitude'],
  ['Movebank', 'event-id,timestamp,location-long,location-lat,ground-speed', 'location-lat', 'location-long'],
  ['AIS of NOAA', 'MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading', 'LAT', 'LON'],
  ['AIS of Denmark', '# Timestamp,Type of mobile,MMSI,Latitude,Longitude,SOG', 'Latitude', 'Longitude'],
  ['OpenSky', 'time,icao24,lat,lon,velocity,heading,vertrate', 'lat', 'lon'],
  ['OpenCellID', 'radio,mcc,net,area,cell,unit,lon,lat,range,samples', 'lat', 'lon'],
  ['UK police', 'Crime ID,Month,Longitude,Latitude,Location,LSOA code', 'Latitude', 'Longitude'],
  [
    'UK collisions',
    'collision_index,location_easting_osgr,location_northing_osgr,longitude,latitude',
    'latitude',
    'longitude',
  ],
  ['Chicago crimes', 'ID,Case Number,X Coordinate,Y Coordinate,Year,Latitude,Longitude', 'Latitude', 'Longitude'],
  ['Los Angeles crimes', 'DR_NO,Date Rptd,AREA,LOCATION,LAT,LON', 'LAT', 'LON'],
  ['San Francisco incidents', 'Row ID,CNN,Latitude,Longitude,Point', 'Latitude', 'Longitude'],
  ['NYC collisions', 'CRASH DATE,BOROUGH,ZIP CODE,LATITUDE,LONGITUDE,COLLISION_ID', 'LATITUDE', 'LONGITUDE'],
  [
    'NYC 311',
    'Unique Key,X Coordinate (State Plane),Y Coordinate (State Plane),Latitude,Longitude',
    'Latitude',
    'Longitude',
  ],
  ['NYC trees', 'tree_id,x_sp,y_sp,latitude,longitude', 'latitude', 'longitude'],
  ['Inside Airbnb', 'id,name,host_id,neighbourhood,latitude,longitude,price', 'latitude', 'longitude'],
  ['Uber 2014', 'Date/Time,Lat,Lon,Base', 'Lat', 'Lon'],
  ['GeoLife', 'Latitude,Longitude,Zero,Altitude,Days,Date,Time', 'Latitude', 'Longitude'],
  ['T-Drive', 'taxi_id,datetime,longitude,latitude', 'latitude', 'longitude'],
  ['Gowalla', 'user,check_in_time,latitude,longitude,location_id', 'latitude', 'longitude'],
  ['OpenAddresses', 'LON,LAT,NUMBER,STREET,UNIT,CITY,POSTCODE,ID,HASH', 'LAT', 'LON'],
  ['OurAirports', 'id,ident,type,name,latitude_deg,longitude_deg,elevation_ft', 'latitude_deg', 'longitude_deg'],
  ['World ports', 'World Port Index Number,Main Port Name,Latitude,Longitude', 'Latitude', 'Longitude'],
  ['SimpleMaps cities', 'city,city_ascii,lat,lng,country,population,id', 'lat', 'lng'],
  ['US ZIP codes', 'GEOID,ALAND,AWATER,INTPTLAT,INTPTLONG', 'INTPTLAT', 'INTPTLONG'],
  ['NOAA stations', 'USAF,WBAN,STATION NAME,LAT,LON,ELEV(M),BEGIN,END', 'LAT', 'LON'],
  ['Berlin stops', 'Haltestelle;lat;lon;Linien', 'lat', 'lon'],
  ['ArcGIS export', 'X,Y,OBJECTID,NAME', 'Y', 'X'],
  ['QGIS export', 'fid,name,x,y', 'y', 'x'],
  ['French trees', 'idbase,libellefrancais,longitude,latitude', 'latitude', 'longitude'],
  ['Spanish stations', 'estacion,latitud,longitud,altitud', 'latitud', 'longitud'],
  ['Strava points', 'time,position_lat,position_long,distance', 'position_lat', 'position_long'],
];

/** Headers with two places, or none: the command must ask. */
const AMBIGUOUS: readonly (readonly [set: string, header: string])[] = [
  ['NYC taxi 2015', 'VendorID,pickup_longitude,pickup_latitude,dropoff_longitude,dropoff_latitude'],
  ['Citi Bike', 'ride_id,start_lat,start_lng,end_lat,end_lng'],
  [
    'Citi Bike before 2021',
    'start station latitude,start station longitude,end station latitude,end station longitude',
  ],
  ['NOAA storms', 'BEGIN_YEARMONTH,BEGIN_LAT,BEGIN_LON,END_LAT,END_LON'],
  ['Porto taxi', 'TRIP_ID,CALL_TYPE,TAXI_ID,TIMESTAMP,POLYLINE'],
  ['projected', 'id,easting,northing'],
];

/** Tables without a place: what is taken, and what is left and why. */
const FEATURES: readonly (readonly [set: string, header: string, row: string, taken: string, left: string])[] = [
  ['Iris', 'Id,SepalLengthCm,SepalWidthCm,Species', '1,5.1,3.5,setosa', 'SepalLengthCm,SepalWidthCm', 'Id Species'],
  [
    'Palmer penguins',
    'species,bill_length_mm,body_mass_g,sex,year',
    'A,39,3750,m,2007',
    'bill_length_mm,body_mass_g',
    '',
  ],
  [
    'Mall customers',
    'CustomerID,Gender,Age,Annual Income (k$)',
    '1,Male,19,15',
    'Age,Annual Income (k$)',
    'CustomerID',
  ],
  ['LiDAR', 'X,Y,Z,Intensity,GpsTime', '1,2,3,4,5', 'X,Y,Z', 'Intensity GpsTime'],
  ['scikit-image', 'label,centroid-0,centroid-1,area', '1,2.5,3.5,9', 'label,centroid-0,centroid-1,area', ''],
  ['Gaia', 'source_id,ra,dec,parallax', '1,10.5,-3,2', 'ra,dec,parallax', 'source_id'],
  [
    'Online retail',
    'InvoiceNo,Quantity,InvoiceDate,UnitPrice',
    'A1,6,2010-12-01,2.55',
    'Quantity,UnitPrice',
    'InvoiceDate',
  ],
  ['IoT', 'timestamp,temperature,humidity', '2024-05-01T00:00:00Z,21,40', 'temperature,humidity', 'timestamp'],
  ['pandas index', ',a,b', '0,1.5,2.5', 'a,b', ''],
  ['projected', 'id,easting,northing', '1,390000,5820000', 'easting,northing', 'id'],
];

function fileOf(header: string): File {
  const delimiter = header.includes(';') ? ';' : ',';
  const cells = header.split(delimiter).map((_, k) => `${k + 1}`);
  // A line that begins with # is a comment.
  return new File([`${header.replace(/^# /, '')}\n${cells.join(delimiter)}\n`], 'set.csv');
}

describe("columns: 'place'", () => {
  it.for(HEADERS)('finds latitude and longitude of %s', async ([, header, lat, lon]) => {
    const {columns, coords} = await readPoints(fileOf(header), {columns: 'place'});
    expect(columns).toEqual([lat, lon]);
    const names = header.replace(/^# /, '').split(/[,;]/);
    expect([...coords]).toEqual([names.indexOf(lat) + 1, names.indexOf(lon) + 1]);
  });

  it.for(AMBIGUOUS)('refuses to guess in %s', async ([, header]) => {
    await expect(readPoints(fileOf(header), {columns: 'place'})).rejects.toThrow('or both chosen by columns');
  });
});

describe("columns: 'auto'", () => {
  it.for(HEADERS)('takes the place of %s, in the order of the file', async ([, header, lat, lon]) => {
    const names = header.replace(/^# /, '').split(/[,;]/);
    const {columns, left = []} = await readPoints(fileOf(header), {columns: 'auto'});
    const isPlace = names.indexOf(lat) < names.indexOf(lon);
    expect(columns).toEqual(isPlace ? [lat, lon] : [lon, lat]);
    expect(left.map(({name}) => name)).toEqual(names.filter((name) => name !== lat && name !== lon));
  });

  it.for(AMBIGUOUS.slice(0, 4))('refuses %s, with columns that work', async ([, header]) => {
    const error: unknown = await readPoints(fileOf(header), {columns: 'auto'}).catch((one: unknown) => one);
    const [, choice] = /chosen by columns ('[^']*'|\S+)/.exec(String(error)) ?? [];
    const columns = choice.replaceAll("'", '').split(',');
    expect((await readPoints(fileOf(header), {columns})).columns).toEqual(columns);
  });

  it.for(FEATURES)('takes the numbers of %s', async ([, header, row, taken, left]) => {
    const file = new File([`${header}\n${row}\n`], 'set.csv');
    const found = await readPoints(file, {columns: 'auto'});
    expect(found.columns?.join()).toBe(taken);
    const names = found.left?.map(({name}) => name) ?? [];
    for (const name of left.split(' ').filter(Boolean)) expect(names).toContain(name);
  });

  it.for([
    ['a,b,c', undefined, 'a,c', ''],
    ['a,b,c', 'auto', 'a,c', ''],
    ['a,b,id', 'auto', 'a', 'id'],
    ['lat,b,lon,d', 'auto', 'lat,lon', 'd'],
    ['lon,a,lat,b', 'place', 'lat,lon', 'a'],
    ['b,lat,x,y', 'auto', 'x,y', 'lat'],
    ['x,b,lat,lon', ['b', 'lon'], 'b,lon', ''],
  ] as const)('besides b takes of %s with %s', async ([header, chosen, taken, left]) => {
    const found = await readPoints(fileOf(header), {columns: chosen, besides: ['b']});
    expect([found.columns?.join(), (found.left ?? []).map(({name}) => name).join()]).toEqual([taken, left]);
  });

  it('tells a header from a row by all first rows, and a few mistakes from text', async () => {
    const read = async (text: string): Promise<LoadedPoints> =>
      readPoints(new File([text], 'a.csv'), {columns: 'auto'});
    expect(await read('Ulm,48.4,9.9\nBonn,50.7,7.1\n')).toMatchObject({columns: ['1', '2'], dim: 2});
    expect(await read('a,2019,2020\n1,5,6\n2,7,8\n')).toMatchObject({columns: ['a', '2019', '2020']});
    expect(await read('a,b,note\n1,2,\n3,4,\n')).toMatchObject({columns: ['a', 'b'], left: [{why: 'empty'}]});
    await expect(read('a,b\n1,2\n3,4\n5,n.a.\n')).rejects.toThrow('line 4: b = "n.a."; expected a finite number');
    await expect(read('a,b\n1,2\n3,\n')).rejects.toThrow('line 3: b = ""');
    await expect(read('x,y\n')).rejects.toThrow('has no data row after the header');
  });

  it('leaves times and numbers of rows out by their values', async () => {
    const rows = [3, 1, 4, 1, 5, 9, 2].map((a, k) => `${k + 1},${1_700_000_000 + a},${a},${9 - a}\n`).join('');
    const {columns, left, coords} = await readPoints(new File([`n,at,a,b\n${rows}`], 'a.csv'), {columns: 'auto'});
    expect(columns).toEqual(['a', 'b']);
    expect(coords.slice(0, 4)).toEqual(Float64Array.of(3, 6, 1, 8));
    expect(left).toEqual([
      {name: 'n', why: 'numbers of rows'},
      {name: 'at', why: 'time by its values'},
    ]);
    const series = Array.from({length: 9}, (_, k) => `${k},${k % 4}\n`).join('');
    expect((await readPoints(new File([`n,a\n${series}`], 'a.csv'), {columns: 'auto'})).columns).toEqual(['n', 'a']);
    const axes = Array.from({length: 9}, (_, k) => `${k},${k % 4},${k % 3}\n`).join('');
    expect((await readPoints(new File([`x,y,z\n${axes}`], 'a.csv'), {columns: 'auto'})).dim).toBe(3);
  });

  it('leaves columns beside weights, times and groups alone', async () => {
    const file = new File(['id,a,b,w,t,g\n1,2,3,4,5,6\n'], 'a.csv');
    const chosen = {weightColumn: 'w', timeColumn: 't', groupColumn: 'g'};
    const {columns, left, weights} = await readPoints(file, {columns: 'auto', ...chosen});
    expect([columns, left?.map(({name}) => name), weights]).toEqual([['a', 'b'], ['id'], Float64Array.of(4)]);
  });
});
