import protobuf from 'protobufjs';

/**
 * The part of the ONNX file format that the converter uses. Field numbers are those of onnx.proto
 * (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto), IR version 8.
 */
const DEFINITIONS = `
syntax = "proto2";
package onnx;
message AttributeProto {
  optional string name = 1;
  optional int64 i = 3;
  optional bytes s = 4;
  repeated int64 ints = 8;
  optional int32 type = 20;
}
message NodeProto {
  repeated string input = 1;
  repeated string output = 2;
  optional string name = 3;
  optional string op_type = 4;
  repeated AttributeProto attribute = 5;
}
message TensorProto {
  repeated int64 dims = 1;
  optional int32 data_type = 2;
  optional string name = 8;
  optional bytes raw_data = 9;
}
message Dimension { optional int64 dim_value = 1; optional string dim_param = 2; }
message TensorShapeProto { repeated Dimension dim = 1; }
message TensorTypeProto { optional int32 elem_type = 1; optional TensorShapeProto shape = 2; }
message TypeProto { optional TensorTypeProto tensor_type = 1; }
message ValueInfoProto { optional string name = 1; optional TypeProto type = 2; }
message GraphProto {
  repeated NodeProto node = 1;
  optional string name = 2;
  repeated TensorProto initializer = 5;
  repeated ValueInfoProto input = 11;
  repeated ValueInfoProto output = 12;
}
message OperatorSetIdProto { optional string domain = 1; optional int64 version = 2; }
message ModelProto {
  optional int64 ir_version = 1;
  optional string producer_name = 2;
  optional string producer_version = 3;
  optional GraphProto graph = 7;
  repeated OperatorSetIdProto opset_import = 8;
}
`;

const root = protobuf.parse(DEFINITIONS, { keepCase: true }).root;

/** Encoder of a whole model file. */
export const ModelProto = root.lookupType('onnx.ModelProto');

/** `TensorProto.DataType` of the element types in use. */
export const ELEMENT = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const;

/** `AttributeProto.AttributeType` of the attribute kinds in use. */
export const ATTRIBUTE = { int: 2, string: 3, ints: 7 } as const;
