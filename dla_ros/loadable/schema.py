"""
Field numbers of the loadable schema.

Source: nvdla/sw commit 79538ba, umd/core/src/common/loadable.fbs, version 0.7.0. The identifier
is not in the .fbs; Loadable.cpp writes it.
"""

IDENTIFIER = b'NVDA'
VERSION = (0, 7, 0)

ROOT_VERSION, ROOT_MEMORY, ROOT_BLOBS, ROOT_TENSORS, ROOT_FIELDS = 0, 2, 5, 6, 9

TENSOR_NAME, TENSOR_ID, TENSOR_MEMORY, TENSOR_SIZE = 0, 1, 2, 3
TENSOR_CODES = 5  # data_format, data_type, data_category, pixel_format, pixel_mapping
TENSOR_DIMS, TENSOR_STRIDES, TENSOR_FIELDS = 10, 14, 22

MEMORY_ID, MEMORY_DOMAIN, MEMORY_FLAGS, MEMORY_SIZE, MEMORY_ALIGNMENT = 0, 1, 2, 3, 4
MEMORY_BIND, MEMORY_TENSOR, MEMORY_FIELDS = 7, 8, 9
ALLOC, INPUT, OUTPUT = 1, 4, 8

BLOB_NAME, BLOB_SIZE, BLOB_INTERFACE, BLOB_VERSION, BLOB_DATA, BLOB_FIELDS = 0, 1, 2, 4, 5, 6
